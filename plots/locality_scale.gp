# The colour scale below the panels.
unset label
unset tics
unset xlabel
unset ylabel
unset border
set lmargin at screen across(left)
set rmargin at screen across(width - 0.1)
set bmargin at screen 0
set tmargin at screen up(0.1)
set colorbox user horizontal origin screen across(width / 2 - 1.5), screen up(0.34) size screen across(3.0), screen up(0.10)
set cbtics 0.25 font ",6.5" offset 0, 0.5
set cblabel "L(w, n): probability of a reuse within the window" font ",7.5" offset 0, 1.0
set xrange [0:1]
set yrange [0:1]
plot '+' using 1:(2):(0.5) with points palette notitle # nothing within the ranges
