# A panel per kind of access; for each kernel nested bars, narrower from stage to stage. Stages that the replay does not
# know are not drawn.
width   = 7.0
left    = 0.6
right   = 0.08
top     = 0.36
name    = 0.24
panel_h = 1.6
bottom  = 1.45
height  = top + panels * (panel_h + name) + bottom
eval set_page(width, height)
across(inches) = inches / width
up(inches) = inches / height
array colour[4] = ["#B5D8EE", "#0072B2", "#E69F00", "#000000"]
array stage[4]  = ["left by the coalescer", "left by the L1", "left by the L2", "at DRAM"]
array wide[4]   = [0.8, 0.56, 0.36, 0.18]
set style fill solid 1.0 noborder
set border 3 linewidth 0.6
set grid ytics linecolor rgb "#D8D8D8" linewidth 0.5
set tics nomirror out scale 0.4 font ",7"
set datafile missing "NaN"
set xrange [0.4:series + 0.6]
set yrange [0:100]
set ytics 20
unset key

stats $data index block(1, 1) using 5 nooutput
known = int(STATS_max)
set multiplot
set label 1 title at screen across(0.12), screen 1 - up(0.15) left font ",8.5"
set label 4 "share of the lane accesses (%)" at screen across(0.12), screen up(bottom + panels * (name + panel_h) / 2) center rotate by 90
do for [p = 1 : panels] {
    y = bottom + (panels - p) * (name + panel_h)
    set lmargin at screen across(left)
    set rmargin at screen across(width - right)
    set bmargin at screen up(y)
    set tmargin at screen up(y + panel_h)
    set label 5 panel[p] at graph 0, graph 1 left offset character 0, character 0.6 font ",7.5"
    set xtics 1, 1, series rotate by 45 right
    set for [s = 1 : series] xtics add ((p == panels ? label[s] : "") s)
    plot for [i = 1 : known] for [s = 1 : series] $data index block(p, s) using (s):i:(wide[i]) with boxes linecolor rgb colour[i]
    do for [i = 1 : 4] { unset label i }
}
unset label 5
unset border
unset tics
unset grid
set lmargin at screen across(left)
set rmargin at screen across(width - right)
set bmargin at screen 0
set tmargin at screen up(0.4)
set yrange [0:1]
set key center center horizontal Left reverse samplen 1.5 font ",7.5"
plot for [i = 1 : known] NaN with boxes linecolor rgb colour[i] title stage[i]
unset multiplot
