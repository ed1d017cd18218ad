# Two panels from one: per kernel a bar of the mean RTRU with marks for the geometric mean and the largest; below it the
# share of CTAs that do not diverge.
width   = 7.0
left    = 0.6
right   = 0.08
top     = 0.54
gap     = 0.36
tall    = 1.7
low     = 0.6
bottom  = 1.2
height  = top + tall + gap + low + bottom
eval set_page(width, height)
across(inches) = inches / width
up(inches) = inches / height
set style fill solid 1.0 noborder
set border 3 linewidth 0.6
set grid ytics linecolor rgb "#D8D8D8" linewidth 0.5
set tics nomirror out scale 0.4 font ",7"
set datafile missing "NaN"
set xrange [0.4:series + 0.6]
set yrange [0:100]
set ytics 25
set lmargin at screen across(left)
set rmargin at screen across(width - right)
set xtics 1, 1, series rotate by 45 right
unset key

set multiplot
set label 1 title at screen across(0.12), screen 1 - up(0.13) left font ",8.5"
set label 2 "RTRU (%)" at screen across(0.12), screen up(bottom + low + gap + tall / 2) center rotate by 90
set label 3 "even CTAs (%)" at screen across(0.12), screen up(bottom + low / 2) center rotate by 90
set bmargin at screen up(bottom + low + gap)
set tmargin at screen up(bottom + low + gap + tall)
set for [s = 1 : series] xtics add ("" s)
plot for [s = 1 : series] $data index block(1, s) using (s):1:(0.62) with boxes linecolor rgb "#56B4E9", \
     for [s = 1 : series] $data index block(1, s) using (s):2 with points pointtype 13 pointsize 0.7 linecolor rgb "#D55E00", \
     for [s = 1 : series] $data index block(1, s) using (s):($3 > 0 ? $3 : NaN) with points pointtype 8 pointsize 0.75 linecolor rgb "#000000"
do for [i = 1 : 3] { unset label i }
set bmargin at screen up(bottom)
set tmargin at screen up(bottom + low)
set ytics 50
set for [s = 1 : series] xtics add (label[s] s)
plot for [s = 1 : series] $data index block(1, s) using (s):4:(0.62) with boxes linecolor rgb "#BBBBBB"
unset border
unset tics
unset grid
set bmargin at screen up(height - 0.48)
set tmargin at screen up(height - 0.26)
set yrange [0:1]
set key center center horizontal Left reverse maxrows 1 samplen 1.5 font ",7.5"
plot NaN with boxes linecolor rgb "#56B4E9" title "mean over CTAs", \
     NaN with points pointtype 13 pointsize 0.7 linecolor rgb "#D55E00" title "geometric mean where above 0", \
     NaN with points pointtype 8 pointsize 0.75 linecolor rgb "#000000" title "largest"
unset multiplot
