# Two panels from one: per kernel three bars of redundant operations, with a mark for what the detector `token` finds;
# below it the share of the uniform instructions that a reuse buffer of 2 to 16 entries spares.
width   = 7.0
left    = 0.6
right   = 0.08
load folder."/title.gp"
top     = title_h + 0.26
gap     = 0.5
tall    = 1.6
low     = 1.0
bottom  = 1.12
height  = top + tall + gap + low + bottom
eval set_page(width, height)
across(inches) = inches / width
up(inches) = inches / height
array colour[3] = ["#0072B2", "#E69F00", "#999999"]
array what[3]   = ["within warps", "between warps alone (8 entries)", "both"]
set style fill solid 1.0 noborder
set border 3 linewidth 0.6
set grid ytics linecolor rgb "#D8D8D8" linewidth 0.5
set tics nomirror out scale 0.4 font ",7"
set datafile missing "NaN"
set xrange [0.4:series + 0.6]
set lmargin at screen across(left)
set rmargin at screen across(width - right)
set xtics 1, 1, series rotate by 45 right
unset key

set multiplot
set label 1 title at screen across(0.12), screen 1 - up(0.13) left font ",8.5"
set label 2 "scalar instructions (%)" at screen across(0.12), screen up(bottom + low + gap + tall / 2) center rotate by 90
set label 3 "reused (%)" at screen across(0.12), screen up(bottom + low / 2) center rotate by 90
set bmargin at screen up(bottom + low + gap)
set tmargin at screen up(bottom + low + gap + tall)
set yrange [0:50]
set ytics 10
set for [s = 1 : series] xtics add ("" s)
plot for [b = 1 : 3] for [s = 1 : series] $data index block(1, s) using (s + 0.26 * (b - 2)):b:(0.24) with boxes linecolor rgb colour[b], \
     for [s = 1 : series] $data index block(1, s) using (s - 0.26):4 with points pointtype 13 pointsize 0.55 linecolor rgb "#D55E00"
do for [i = 1 : 3] { unset label i }
set bmargin at screen up(bottom)
set tmargin at screen up(bottom + low)
set yrange [0:100]
set ytics 25
set for [s = 1 : series] xtics add (tic[s] s)
array tone[4] = ["#A6CEE3", "#56B4E9", "#0072B2", "#003D5C"]
plot for [e = 1 : 4] for [s = 1 : series] $data index block(1, s) using (s + 0.2 * (e - 2.5)):(column(4 + e)):(0.18) with boxes linecolor rgb tone[e]
unset border
unset tics
unset grid
set yrange [0:1]
set bmargin at screen up(height - top + 0.06)
set tmargin at screen up(height - top + 0.30)
set key center center horizontal Left reverse maxrows 1 samplen 1.2  font ",7.5"
plot for [b = 1 : 3] NaN with boxes linecolor rgb colour[b] title what[b], \
     NaN with points pointtype 13 pointsize 0.55 linecolor rgb "#D55E00" title "within warps, by token"
set bmargin at screen up(bottom + low + 0.14)
set tmargin at screen up(bottom + low + 0.38)
plot for [e = 1 : 4] NaN with boxes linecolor rgb tone[e] title sprintf("%d entries", 2 ** e)
unset multiplot
