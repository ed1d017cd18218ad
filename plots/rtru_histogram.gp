# Panels in rows of three; a bar per bin from a to b, as high as the share of warps in it.
rows    = int(ceil(panels / 3.0))
columns = panels > 2 ? 3 : panels
width   = 7.0
left    = 0.55
right   = 0.24
gap     = 0.36
entries = 0
entry   = ""
sample  = 0
load folder."/page.gp"
top     = title_h + 0.06
name    = 0.42
panel_h = 0.95
bottom  = 0.40
height  = top + rows * (name + panel_h) + bottom
panel_w = (width - left - right - (columns - 1) * gap) / columns
if (panel_w > 3) panel_w = 3
eval set_page(width, height)
across(inches) = inches / width
up(inches) = inches / height
set style fill solid 1.0 noborder
set border 3 linewidth 0.6
set grid ytics linecolor rgb "#D8D8D8" linewidth 0.5
set tics nomirror out scale 0.4 font ",7"
set datafile missing "NaN"
unset key

set multiplot
set label 1 title at screen across(0.12), screen 1 - up(0.13) left font ",8.5"
if (pages > 1) set label 2 sprintf("page %d of %d", page, pages) at screen across(width - right), screen 1 - up(0.13) right font ",7"
set label 3 "warp instructions of a warp" at screen across(left + (columns * (panel_w + gap) - gap) / 2), screen up(0.16) center
set label 4 "warps (%)" at screen across(0.12), screen up(bottom + 0.16 + (rows * (name + panel_h) - name) / 2) center rotate by 90
do for [p = 1 : panels] {
    x = left + ((p - 1) % columns) * (panel_w + gap)
    y = bottom + (rows - 1 - (p - 1) / columns) * (name + panel_h) + 0.16
    set lmargin at screen across(x)
    set rmargin at screen across(x + panel_w)
    set bmargin at screen up(y)
    set tmargin at screen up(y + panel_h)
    set label 5 fit(panel[p], panel_w + gap - 0.1) at graph 0, graph 1 left offset character 0, character 0.5 font ",7.5"
    set xrange [*:*]
    set yrange [*:*]
    stats $data index block(p, 1) using 2 name "B" nooutput
    set xrange [0:B_max]
    set yrange [0:100]
    set xtics offset 0, 0.35
    eval numbered("x", 0, B_max)
    set ytics 25 format ((p - 1) % columns == 0 ? "%g" : "")
    plot $data index block(p, 1) using (0.5 * ($1 + $2)):3:($1 > 0 ? $1 : 0):2:(0):3 with boxxyerror linecolor rgb "#0072B2"
    do for [i = 1 : 4] { unset label i }
}
unset multiplot
