# A panel per resource of the SM, one below the other; per kernel a bar of what its CTAs are given, with a line between
# CTAs. What is above the bar is never allocated.
width   = 7.0
left    = 0.6
right   = 0.08
top     = 0.30
name    = 0.24
panel_h = 1.1
bottom  = 1.42
height  = top + panels * (panel_h + name) + bottom
eval set_page(width, height)
across(inches) = inches / width
up(inches) = inches / height
limiting = "#D55E00"
other    = "#56B4E9"
set style fill solid 1.0 noborder
set border 3 linewidth 0.6
set grid ytics linecolor rgb "#D8D8D8" linewidth 0.5
set tics nomirror out scale 0.4 font ",7"
set datafile missing "NaN"
set xrange [0.4:series + 0.6]
set yrange [0:100]
set ytics 25
unset key

set multiplot
set label 1 title at screen across(0.12), screen 1 - up(0.13) left font ",8.5"
set label 4 "share of the SM's resource (%)" at screen across(0.12), screen up(bottom + panels * (name + panel_h) / 2) center rotate by 90
do for [p = 1 : panels] {
    y = bottom + (panels - p) * (name + panel_h)
    set lmargin at screen across(left)
    set rmargin at screen across(width - right)
    set bmargin at screen up(y)
    set tmargin at screen up(y + panel_h)
    set label 5 panel[p] at graph 0, graph 1 left offset character 0, character 0.6 font ",7.5"
    set xtics 1, 1, series rotate by 45 right
    set for [s = 1 : series] xtics add ((p == panels ? label[s] : "") s)
    plot for [s = 1 : series] $data index block(p, s) using (s):($3 == 1 ? $1 : NaN):(0.62) with boxes linecolor rgb limiting, \
         for [s = 1 : series] $data index block(p, s) using (s):($3 == 1 ? NaN : $1):(0.62) with boxes linecolor rgb other, \
         for [s = 1 : series] for [c = 1 : 64] $data index block(p, s) \
             using (s - 0.31):(c < $2 ? c * $1 / $2 : NaN):(0.62):(0) with vectors nohead linecolor rgb "#FFFFFF" linewidth 0.7
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
set key center center horizontal Left reverse maxrows 1 samplen 1.5 font ",7.5"
plot NaN with boxes linecolor rgb limiting title "allows no further CTA (where none does, it is the 8 CTAs)", \
     NaN with boxes linecolor rgb other title "room for another CTA"
unset multiplot
