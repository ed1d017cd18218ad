# Above, per kernel a bar of 100 percent, stacked by class; below, its SIMD efficiency and branch divergence.
width   = 7.0
left    = 0.6
right   = 0.08
top     = 0.30
mix_h   = 1.7
gap     = 0.16
lanes_h = 0.9
bottom  = 1.5
height  = top + mix_h + gap + lanes_h + bottom
eval set_page(width, height)
across(inches) = inches / width
up(inches) = inches / height
array colour[6] = ["#0072B2", "#56B4E9", "#CC79A7", "#E69F00", "#009E73", "#999999"]
array class[6]  = ["integer", "floating point", "special, tensor", "memory", "branch", "barrier, exit, other"]
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
set label 4 "warp instructions (%)" at screen across(0.12), screen up(bottom + lanes_h + gap + mix_h / 2) center rotate by 90
set lmargin at screen across(left)
set rmargin at screen across(width - right)
set bmargin at screen up(bottom + lanes_h + gap)
set tmargin at screen up(bottom + lanes_h + gap + mix_h)
set xtics 1, 1, series format ""
plot for [s = 1 : series] $data index block(1, s) using (s):($1 + $2 + $3 + $4 + $5 + $6):(0.62) with boxes linecolor rgb colour[6], \
     for [s = 1 : series] $data index block(1, s) using (s):($1 + $2 + $3 + $4 + $5):(0.62) with boxes linecolor rgb colour[5], \
     for [s = 1 : series] $data index block(1, s) using (s):($1 + $2 + $3 + $4):(0.62) with boxes linecolor rgb colour[4], \
     for [s = 1 : series] $data index block(1, s) using (s):($1 + $2 + $3):(0.62) with boxes linecolor rgb colour[3], \
     for [s = 1 : series] $data index block(1, s) using (s):($1 + $2):(0.62) with boxes linecolor rgb colour[2], \
     for [s = 1 : series] $data index block(1, s) using (s):1:(0.62) with boxes linecolor rgb colour[1]
do for [i = 1 : 4] { unset label i }
set label 4 "share (%)" at screen across(0.12), screen up(bottom + lanes_h / 2) center rotate by 90
set bmargin at screen up(bottom)
set tmargin at screen up(bottom + lanes_h)
set ytics 50
set xtics 1, 1, series rotate by 45 right
set for [s = 1 : series] xtics add (label[s] s)
plot for [s = 1 : series] $data index block(1, s) using (s):7 with points pointtype 7 pointsize 0.6 linecolor rgb "#000000", \
     for [s = 1 : series] $data index block(1, s) using (s):8 with points pointtype 2 pointsize 0.65 linecolor rgb "#D55E00"
unset label 4
unset border
unset tics
unset grid
set lmargin at screen across(left)
set rmargin at screen across(width - right)
set bmargin at screen 0
set tmargin at screen up(0.5)
set yrange [0:1]
set key center center horizontal Left reverse maxrows 3 samplen 1.5 spacing 1.2 font ",7.5"
plot for [i = 1 : 6] NaN with boxes linecolor rgb colour[i] title class[i], \
     NaN with points pointtype 7 pointsize 0.6 linecolor rgb "#000000" title "SIMD efficiency", \
     NaN with points pointtype 2 pointsize 0.65 linecolor rgb "#D55E00" title "divergent branches"
unset multiplot
