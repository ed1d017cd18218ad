panel_h = 1.45
load folder."/locality_page.gp"
set multiplot
set label 1 title at screen across(0.12), screen 1 - up(0.14) left font ",8.5"
if (pages > 1) set label 2 sprintf("page %d of %d", page, pages) at screen across(width - 0.1), screen 1 - up(0.14) right font ",7"
set label 3 "near-future window w (accesses)" at screen across(left + (columns * panel_w - 0.14) / 2), screen up(0.62) center
set label 4 "neighbourhood n (B)" at screen across(0.14), screen up(bottom + (rows * panel_h - 0.08) / 2) center rotate by 90
stats $data using 1:2 name "range" nooutput
set xrange [range_min_x - 0.5 : range_max_x + 0.5]
set yrange [range_min_y - 0.5 : range_max_y + 0.5]
set tics out nomirror
do for [p = 1 : panels] {
    column = (p - 1) % columns
    x = left + column * panel_w
    y = bottom + (rows - 1 - (p - 1) / columns) * panel_h
    set lmargin at screen across(x)
    set rmargin at screen across(x + panel_w - 0.14)
    set bmargin at screen up(y + 0.14)
    set tmargin at screen up(y + panel_h - 0.22)
    set label 5 fit(panel[p], panel_w - 0.14) at graph 0, graph 1 left offset character 0, character 0.6 font ",7.5"
    if (column == 0) { set ytics ("1" 0, "8" 3, "64" 6, "512" 9, "4Ki" 12, "32Ki" 15, "256Ki" 18) offset 0.4, 0 } else { set ytics ("" 0, "" 3, "" 6, "" 9, "" 12, "" 15, "" 18) }
    if (p + columns > panels) { set xtics ("1" 0, "16" 4, "256" 8, "4Ki" 12, "64Ki" 16, "1Mi" 20, "16Mi" 24, "256Mi" 28) offset 0, 0.4 } else { set xtics ("" 0, "" 4, "" 8, "" 12, "" 16, "" 20, "" 24, "" 28) }
    eval tell_empty(p, 3, 3, 0, "")
    if (why eq "no data") { plot NaN } else { plot $data index block(p, 1) using 1:2:3 with image }
    do for [i = 1 : 4] { unset label i }
}
load folder."/locality_scale.gp"
unset multiplot
