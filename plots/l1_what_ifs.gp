# A panel per L1, one below the other; two bars for each kernel, in percent of the misses of the L1 itself.
width   = 7.0
left    = 0.6
right   = 0.08
top     = 0.36
name    = 0.24
panel_h = 1.5
bottom  = 1.35
height  = top + panels * (panel_h + name) + bottom
eval set_page(width, height)
across(inches) = inches / width
up(inches) = inches / height
array colour[2] = ["#0072B2", "#E69F00"]
set style fill solid 1.0 noborder
set border 3 linewidth 0.6
set grid ytics linecolor rgb "#D8D8D8" linewidth 0.5
set tics nomirror out scale 0.4 font ",7"
set datafile missing "NaN"
set xrange [0.4:series + 0.6]
set yrange [0:120]
set ytics 20
unset key

set multiplot
set label 1 title at screen across(0.12), screen 1 - up(0.15) left font ",8.5"
set label 4 "misses (% of the set-associative L1's)" at screen across(0.12), screen up(bottom + panels * (name + panel_h) / 2) center rotate by 90
do for [p = 1 : panels] {
    y = bottom + (panels - p) * (name + panel_h)
    set lmargin at screen across(left)
    set rmargin at screen across(width - right)
    set bmargin at screen up(y)
    set tmargin at screen up(y + panel_h)
    set label 5 panel[p] at graph 0, graph 1 left offset character 0, character 0.6 font ",7.5"
    set arrow 1 from graph 0, first 100 to graph 1, first 100 nohead linewidth 0.8 linecolor rgb "#606060" dashtype 2
    set xtics 1, 1, series rotate by 45 right
    set for [s = 1 : series] xtics add ((p == panels ? label[s] : "") s)
    plot for [s = 1 : series] $data index block(p, s) using (s - 0.18):1:(0.34) with boxes linecolor rgb colour[1], \
         for [s = 1 : series] $data index block(p, s) using (s + 0.18):2:(0.34) with boxes linecolor rgb colour[2]
    do for [i = 1 : 4] { unset label i }
}
unset label 5
unset arrow 1
unset border
unset tics
unset grid
set lmargin at screen across(left)
set rmargin at screen across(width - right)
set bmargin at screen 0
set tmargin at screen up(0.4)
set yrange [0:1]
set key center center horizontal Left reverse samplen 1.5 font ",7.5"
plot NaN with boxes linecolor rgb colour[1] title "fully associative, same size", \
     NaN with boxes linecolor rgb colour[2] title "fully associative, 1024 times the size"
unset multiplot
