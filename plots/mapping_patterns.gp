# Per kernel a bar of 100 percent, stacked by pattern.
width   = 7.0
left    = 0.6
right   = 0.08
top     = 0.30
panel_h = 1.9
bottom  = 1.32
height  = top + panel_h + bottom
eval set_page(width, height)
across(inches) = inches / width
up(inches) = inches / height
array colour[5] = ["#0072B2", "#56B4E9", "#009E73", "#E69F00", "#999999"]
array type[5]   = ["single", "broadcast", "consecutive", "range", "other"]
set style fill solid 1.0 noborder
set border 3 linewidth 0.6
set grid ytics linecolor rgb "#D8D8D8" linewidth 0.5
set tics nomirror out scale 0.4 font ",7"
set datafile missing "NaN"
set xrange [0.4:(series > 8 ? series : 8) + 0.6]
set yrange [0:100]
set ytics 25
unset key

set multiplot
set label 1 title at screen across(0.12), screen 1 - up(0.13) left font ",8.5"
set label 4 "load requests (%)" at screen across(0.12), screen up(bottom + panel_h / 2) center rotate by 90
set lmargin at screen across(left)
set rmargin at screen across(width - right)
set bmargin at screen up(bottom)
set tmargin at screen up(bottom + panel_h)
set xtics 1, 1, series rotate by 45 right
set for [s = 1 : series] xtics add (label[s] s)
plot for [s = 1 : series] $data index block(1, s) using (s):($1 + $2 + $3 + $4 + $5):(0.62) with boxes linecolor rgb colour[5], \
     for [s = 1 : series] $data index block(1, s) using (s):($1 + $2 + $3 + $4):(0.62) with boxes linecolor rgb colour[4], \
     for [s = 1 : series] $data index block(1, s) using (s):($1 + $2 + $3):(0.62) with boxes linecolor rgb colour[3], \
     for [s = 1 : series] $data index block(1, s) using (s):($1 + $2):(0.62) with boxes linecolor rgb colour[2], \
     for [s = 1 : series] $data index block(1, s) using (s):1:(0.62) with boxes linecolor rgb colour[1]
do for [i = 1 : 4] { unset label i }
unset border
unset tics
unset grid
set lmargin at screen across(left)
set rmargin at screen across(width - right)
set bmargin at screen 0
set tmargin at screen up(0.30)
set yrange [0:1]
set key center center horizontal Left reverse maxrows 1 samplen 1.5 font ",7.5"
plot for [i = 1 : 5] NaN with boxes linecolor rgb colour[i] title type[i]
unset multiplot
