# A panel per L1, one below the other; per kernel a stacked bar of the types of contention, and marks for the what-ifs.
width   = 7.0
left    = 0.6
right   = 0.08
top     = 0.30
name    = 0.24
panel_h = 1.5
bottom  = 1.55
height  = top + panels * (panel_h + name) + bottom
eval set_page(width, height)
across(inches) = inches / width
up(inches) = inches / height
array colour[4] = ["#0072B2", "#E69F00", "#CC79A7", "#BBBBBB"]
array type[4]   = ["intra-warp", "cross-warp, intra-block", "cross-warp, cross-block", "no eviction (empty way)"]
set style fill solid 1.0 noborder
set border 3 linewidth 0.6
set grid ytics linecolor rgb "#D8D8D8" linewidth 0.5
set tics nomirror out scale 0.4 font ",7"
set datafile missing "NaN"
set xrange [0.4:series + 0.6]
set yrange [0:*]
unset key

set multiplot
set label 1 title at screen across(0.12), screen 1 - up(0.13) left font ",8.5"
set label 4 "misses per thousand warp instructions (MPKI)" at screen across(0.12), screen up(bottom + panels * (name + panel_h) / 2) center rotate by 90
do for [p = 1 : panels] {
    y = bottom + (panels - p) * (name + panel_h)
    set lmargin at screen across(left)
    set rmargin at screen across(width - right)
    set bmargin at screen up(y)
    set tmargin at screen up(y + panel_h)
    set label 5 panel[p] at graph 0, graph 1 left offset character 0, character 0.6 font ",7.5"
    set xtics 1, 1, series rotate by 45 right
    set for [s = 1 : series] xtics add ((p == panels ? label[s] : "") s)
    plot for [s = 1 : series] $data index block(p, s) using (s):($1 + $2 + $3 + $4):(0.62) with boxes linecolor rgb colour[4], \
         for [s = 1 : series] $data index block(p, s) using (s):($1 + $2 + $3):(0.62) with boxes linecolor rgb colour[3], \
         for [s = 1 : series] $data index block(p, s) using (s):($1 + $2):(0.62) with boxes linecolor rgb colour[2], \
         for [s = 1 : series] $data index block(p, s) using (s):1:(0.62) with boxes linecolor rgb colour[1], \
         for [s = 1 : series] $data index block(p, s) using (s):5 with points pointtype 8 pointsize 0.75 linecolor rgb "#000000", \
         for [s = 1 : series] $data index block(p, s) using (s):6 with points pointtype 2 pointsize 0.65 linecolor rgb "#000000"
    do for [i = 1 : 4] { unset label i }
}
unset label 5
unset border
unset tics
unset grid
set lmargin at screen across(left)
set rmargin at screen across(width - right)
set bmargin at screen 0
set tmargin at screen up(0.5)
set yrange [0:1]
set key center center horizontal Left reverse maxrows 2 samplen 1.5 spacing 1.2 font ",7.5"
plot for [i = 1 : 4] NaN with boxes linecolor rgb colour[i] title type[i], \
     NaN with points pointtype 8 pointsize 0.75 linecolor rgb "#000000" title "fully associative, same size", \
     NaN with points pointtype 2 pointsize 0.65 linecolor rgb "#000000" title "fully associative, 1024 x"
unset multiplot
