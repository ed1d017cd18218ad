# Groups of bars, a group per kernel, a panel below the other. Loaded by figures that give `axis` (the y axis' name) and
# per panel in `bars_of[p]` the names of its bars, with blanks between them and ~ for blanks within. Rows: bar (from 1),
# value. A line marks 1, unless `mark` is 0. Panels have one scale, unless `shared` is 0 or the axis has no name.
width   = 7.0
left    = 0.6
right   = 0.08
load folder."/title.gp"
top     = title_h
name    = 0.34
panel_h = panels > 3 ? 1.05 : 1.5
bottom  = 0.95
height  = top + panels * (panel_h + name) + bottom
eval set_page(width, height)
across(inches) = inches / width
up(inches) = inches / height
array colour[6] = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00"]
set style fill solid 1.0 noborder
set border 3 linewidth 0.6
set grid ytics linecolor rgb "#D8D8D8" linewidth 0.5
set tics nomirror out scale 0.4 font ",7"
set datafile missing "NaN"
set xrange [0.4:series + 0.6]
if (!exists("mark")) mark = 1
if (!exists("shared")) shared = axis ne ""
unset key
stats $data using 2 name "all" nooutput
top = shared && exists("all_max") ? all_max : 0 # of the scale, at least
plain(text) = system("echo '".text."' | tr '~' ' '")

set multiplot
set label 1 title at screen across(0.12), screen 1 - up(0.13) left font ",8.5"
set label 4 axis at screen across(0.12), screen up(bottom + (panels * (name + panel_h) - name) / 2) center rotate by 90
do for [p = 1 : panels] {
    y = bottom + (panels - p) * (name + panel_h)
    set lmargin at screen across(left)
    set rmargin at screen across(width - right)
    set bmargin at screen up(y)
    set tmargin at screen up(y + panel_h)
    bars = words(bars_of[p])
    set label 5 panel[p] at graph 0, graph 1 left offset character 0, character 0.7 font ",7.5"
    do for [b = 1 : bars] {
        at_x = (bars > 4 ? 0.22 : 0.25) + (bars > 4 ? 0.78 : 0.75) * (b - 1) / (bars > 3 ? bars : 3)
        set object b rectangle from graph at_x, graph 1 + 0.09 / panel_h to graph at_x + 0.012, graph 1 + 0.17 / panel_h noclip fillcolor rgb colour[b] fillstyle solid noborder
        set label 10 + b plain(word(bars_of[p], b)) at graph at_x + 0.017, graph 1 + 0.13 / panel_h left font ",6.5"
    }
    set xtics 1, 1, series rotate by 30 right
    set for [s = 1 : series] xtics add ((p == panels ? tic[s] : "") s)
    if (mark) { set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead linewidth 0.6 linecolor rgb "#000000" front }
    set yrange [*:*] # or stats leaves out what the last panel had no room for
    stats $data index block(p, 1) : block(p, series) using 2 name "y" nooutput
    if (exists("y_max")) { set yrange [0 : top < *] } else { set yrange [0 : top > 0 ? top : 1] } # a panel without values
    plot for [s = 1 : series] for [b = 1 : bars] $data index block(p, s) using (s + 0.8 * (b - (bars + 1) / 2.0) / bars):($1 == b ? $2 : NaN):(0.74 / bars) with boxes linecolor rgb colour[b]
    do for [i = 1 : 16] { unset label i }
    do for [i = 1 : 6] { unset object i }
}
unset multiplot
