# A panel per algorithm, a group of three bars per graph.
width   = 7.0
left    = 0.52
right   = 0.08
gap     = 0.15
load folder."/title.gp"
top     = title_h
name    = 0.22
panel_h = 1.7
panel_w = (width - left - right - (panels - 1) * gap) / panels
slots   = panels * (series + 0.2)
load folder."/names.gp"
upright = text(longest) > panel_w / (series + 0.2) # aslant they would reach into the panel beside
bottom  = 0.40 + (upright ? 0.16 + text(longest) : 0.26)
height  = top + name + panel_h + bottom
eval set_page(width, height)
across(inches) = inches / width
up(inches) = inches / height
array colour[3] = ["#000000", "#E69F00", "#0072B2"]
array part[3]   = ["without the unit", "reordered", "and filtered"]
set style fill solid 1.0 noborder
set border 3 linewidth 0.6
set grid ytics linecolor rgb "#D8D8D8" linewidth 0.5
set tics nomirror out scale 0.4 font ",7"
set datafile missing "NaN"
set xrange [0.4:series + 0.6]
set yrange [0:32]
unset key
side = upright ? "rotate by 90 right" : "norotate center"

set multiplot
set label 1 title at screen across(0.12), screen 1 - up(0.14) left font ",8.5"
if (pages > 1) set label 2 sprintf("page %d of %d", page, pages) at screen across(width - right), screen 1 - up(0.14) right font ",7"
set label 4 "requests per warp instruction" at screen across(0.12), screen up(bottom + panel_h / 2) center rotate by 90
do for [p = 1 : panels] {
    x = left + (p - 1) * (panel_w + gap)
    set lmargin at screen across(x)
    set rmargin at screen across(x + panel_w)
    set bmargin at screen up(bottom)
    set tmargin at screen up(bottom + panel_h)
    set label 5 fit(panel[p], panel_w) at graph 0, graph 1 left offset character 0, character 0.6 font ",7.5"
    set ytics 8 format (p == 1 ? "%g" : "")
    set xtics 1, 1, series @side
    set for [s = 1 : series] xtics add (name_tic(s) s)
    plot for [s = 1 : series] for [i = 1 : 3] $data index block(p, s) using (s + 0.26 * (i - 2)):(column(i)):(0.22) with boxes linecolor rgb colour[i]
    do for [i = 1 : 4] { unset label i }
}
unset label 5
unset border
unset tics
unset grid
set lmargin at screen across(left)
set rmargin at screen across(width - right)
set bmargin at screen 0
set tmargin at screen up(0.34)
set yrange [0:1]
set key center center horizontal Left reverse maxrows 1 samplen 1.5 font ",7.5"
plot for [i = 1 : 3] NaN with boxes linecolor rgb colour[i] title part[i]
unset multiplot
