# A column per parameter; above the execution time relative to no unit, below the share of elements that it filters.
width   = 7.0
left    = 0.55
right   = 0.10
gap     = 0.14
load folder."/title.gp"
top     = title_h - 0.02
row_h   = 1.35
between = 0.14
bottom  = 0.78
height  = top + 2 * row_h + between + bottom
panel_w = (width - left - right - (panels - 1) * gap) / panels
eval set_page(width, height)
across(inches) = inches / width
up(inches) = inches / height
array colour[3] = ["#0072B2", "#E69F00", "#009E73"]
array shape[3]  = [7, 5, 9]
set border 3 linewidth 0.6
set grid ytics linecolor rgb "#D8D8D8" linewidth 0.5
set tics nomirror out scale 0.4 font ",7"
set logscale x 2
stats $data using 2 name "time" nooutput
array last[2] = [ceil(time_max), 1]
array step[2] = [time_max > 10 ? 4 : time_max > 5 ? 2 : 1, 0.25]
unset key

set multiplot
set label 1 title at screen across(0.12), screen 1 - up(0.13) left font ",8.5"
if (pages > 1) set label 4 sprintf("page %d of %d", page, pages) at screen across(width - right), screen 1 - up(0.13) right font ",7"
set label 2 "time, relative to none" at screen across(0.13), screen up(bottom + between + 1.5 * row_h) center rotate by 90
set label 3 "elements filtered" at screen across(0.13), screen up(bottom + 0.5 * row_h) center rotate by 90
do for [p = 1 : panels] {
    x = left + (p - 1) * (panel_w + gap)
    set lmargin at screen across(x)
    set rmargin at screen across(x + panel_w)
    set xrange [*:*] # or stats leaves out what the last panel had no room for
    set yrange [*:*]
    stats $data index block(p, 1) : block(p, series) using 1 name "x" nooutput
    pad = x_max > x_min ? (1.0 * x_max / x_min) ** 0.07 : 2
    set xrange [x_min / pad : x_max * pad]
    set xtics x_min, x_max / x_min > 16 ? 4 : 2, x_max
    do for [r = 1 : 2] {
        y = bottom + (2 - r) * (row_h + between)
        set bmargin at screen up(y)
        set tmargin at screen up(y + row_h)
        set format x (r == 2 ? "%g" : "")
        set yrange [0 : last[r]]
        set ytics step[r]
        set format y (p == 1 ? "%g" : "")
        if (r == 2) { set label 5 panel[p] at graph 0.5, screen up(bottom - 0.30) center font ",7.5" }
        if (r == 1) { set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead linewidth 0.6 linecolor rgb "#000000" }
        plot for [s = 1 : series] $data index block(p, s) using 1:(column(r + 1)) with linespoints linecolor rgb colour[s] pointtype shape[s] pointsize 0.5 linewidth 1.3
        do for [i = 1 : 5] { unset label i }
        unset arrow 1
    }
}
unset border
unset tics
unset grid
unset logscale
set lmargin at screen across(left)
set rmargin at screen across(width - right)
set bmargin at screen 0
set tmargin at screen up(0.30)
set xrange [0:1]
set yrange [0:1]
set key center center horizontal Left reverse maxrows 1 samplen 1.5 font ",7.5"
plot for [s = 1 : series] NaN with linespoints linecolor rgb colour[s] pointtype shape[s] pointsize 0.5 linewidth 1.3 title label[s]
unset multiplot
