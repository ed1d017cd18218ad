# Groups of stacked bars, a group per kernel: shares of redundant requests, by what is shared (colour) and by who asked
# last (dark: another SM; light: the same). Loaded by figures that say in `legend` what the bars of a group are.
width   = 7.0
left    = 0.6
right   = 0.08
load folder."/title.gp"
load folder."/empty.gp"
top     = title_h + 0.06
name    = 0.24
panel_h = panels == 1 ? 2.6 : 1.9
slots   = series
load folder."/names.gp"
bottom  = 0.74 + names_h
height  = top + panels * (panel_h + name) + bottom
eval set_page(width, height)
across(inches) = inches / width
up(inches) = inches / height
array colour[4] = ["#00517E", "#7CC4EC", "#B86E00", "#F5CE7A"]
array part[4]   = ["data, last read by another SM", "data, last read by the same SM", "line alone, last read by another SM", "line alone, last read by the same SM"]
set style fill solid 1.0 noborder
set border 3 linewidth 0.6
set grid ytics linecolor rgb "#D8D8D8" linewidth 0.5
set tics nomirror out scale 0.4 font ",7"
set datafile missing "NaN"
set xrange [0.4:series + 0.6]
set yrange [0:100]
set ytics 20
unset key
x(s, bar, bars) = s + 0.8 * (bar - (bars + 1) / 2.0) / bars

set multiplot
set label 1 title at screen across(0.12), screen 1 - up(0.15) left font ",8.5"
if (pages > 1) set label 2 sprintf("page %d of %d", page, pages) at screen across(width - right), screen 1 - up(0.15) right font ",7"
set label 4 "redundant reads behind the L1s (%)" at screen across(0.12), screen up(bottom + (panels * (name + panel_h) - name) / 2) center rotate by 90
do for [p = 1 : panels] {
    y = bottom + (panels - p) * (name + panel_h)
    set lmargin at screen across(left)
    set rmargin at screen across(width - right)
    set bmargin at screen up(y)
    set tmargin at screen up(y + panel_h)
    set label 5 panel[p] at graph 0, graph 1 left offset character 0, character 0.6 font ",7.5"
    set xtics 1, 1, series @names
    set for [s = 1 : series] xtics add ((p == panels ? name_tic(s) : "") s)
    eval tell_empty(p, 3, 6, 0.2, "all below 1 %")
    plot for [s = 1 : series] $data index block(p, s) using (x(s, $1, $2)):($3 + $4 + $5 + $6):(0.74 / $2) with boxes linecolor rgb colour[4], \
         for [s = 1 : series] $data index block(p, s) using (x(s, $1, $2)):($3 + $4 + $5):(0.74 / $2) with boxes linecolor rgb colour[3], \
         for [s = 1 : series] $data index block(p, s) using (x(s, $1, $2)):($3 + $4):(0.74 / $2) with boxes linecolor rgb colour[2], \
         for [s = 1 : series] $data index block(p, s) using (x(s, $1, $2)):3:(0.74 / $2) with boxes linecolor rgb colour[1]
    do for [i = 1 : 4] { unset label i }
}
unset label
unset border
unset tics
unset grid
set label 6 legend at screen across(width / 2), screen up(0.62) center font ",7.5"
set lmargin at screen across(left)
set rmargin at screen across(width - right)
set bmargin at screen 0
set tmargin at screen up(0.5)
set yrange [0:1]
set key center center horizontal Left reverse maxrows 2 samplen 1.5 spacing 1.2 font ",7.5"
plot for [i = 1 : 4] NaN with boxes linecolor rgb colour[i] title part[i]
unset multiplot
