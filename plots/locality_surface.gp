panel_h = 2.0
load folder."/locality_page.gp"
set multiplot
set label 1 title at screen across(0.12), screen 1 - up(0.14) left font ",8.5"
if (pages > 1) set label 2 sprintf("page %d of %d", page, pages) at screen across(width - 0.1), screen 1 - up(0.14) right font ",7"
set label 3 "w: near-future window (accesses); n: neighbourhood (B); both axes logarithmic" at screen across(width / 2), screen up(0.62) center font ",7.5"
stats $data using 1:2 name "range" nooutput
set xrange [range_min_x : range_max_x]
set yrange [range_min_y : range_max_y]
set zrange [0:1]
set view 58, 322, 1.0, 1.0
set xyplane at 0
set dgrid3d range_max_y - range_min_y + 1, range_max_x - range_min_x + 1, 16
set pm3d depthorder border linecolor rgb "#404040" linewidth 0.25
set ztics 0.5 offset 0.6, 0
set xtics ("4" 2, "64" 6, "1Ki" 10, "16Ki" 14, "256Ki" 18, "4Mi" 22, "64Mi" 26) offset 0, -0.2
set ytics ("4" 2, "64" 6, "1Ki" 10, "16Ki" 14, "256Ki" 18) offset 0.4, -0.3
do for [p = 1 : panels] {
    column = (p - 1) % columns
    x = 0.1 + column * panel_w
    y = bottom + (rows - 1 - (p - 1) / columns) * panel_h
    set lmargin at screen across(x + 0.24 * panel_w)
    set rmargin at screen across(x + 0.76 * panel_w)
    set bmargin at screen up(y + 0.50)
    set tmargin at screen up(y + 1.38)
    set label 5 fit(panel[p], panel_w - 0.06) at screen across(x + panel_w / 2), screen up(y + panel_h - 0.16) center font ",7.5"
    set xlabel "w" font ",7" offset 0, 0.3
    set ylabel "n" font ",7" offset 0, 0.3
    eval tell_empty(p, 3, 3, 0, "")
    if (why eq "no data") { splot NaN } else { splot $data index block(p, 1) using 1:2:3 with pm3d }
    do for [i = 1 : 4] { unset label i }
}
unset dgrid3d
load folder."/locality_scale.gp"
unset multiplot
