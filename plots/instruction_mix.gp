# Above, per kernel a bar of 100 percent, stacked by class; below, its SIMD efficiency and branch divergence.
left    = 0.6
right   = 0.08
slot    = 0.26
entries = 8
entry   = "barrier, exit, other"
load folder."/kernels.gp"
mix_h   = 1.7
gap     = 0.16
lanes_h = 0.9
height  = title_h + mix_h + gap + lanes_h + foot
array colour[6] = ["#0072B2", "#56B4E9", "#CC79A7", "#E69F00", "#009E73", "#999999"]
array class[6]  = ["integer", "floating point", "special, tensor", "memory", "branch", "barrier, exit, other"]

eval begin_page
set label 4 "warp instructions (%)" at screen across(0.12), screen up(foot + lanes_h + gap + mix_h / 2) center rotate by 90
set bmargin at screen up(foot + lanes_h + gap)
set tmargin at screen up(foot + lanes_h + gap + mix_h)
set yrange [0:100]
set ytics 25
eval no_names
plot for [s = 1 : series] $data index block(1, s) using (s):($1 + $2 + $3 + $4 + $5 + $6):(0.62) with boxes linecolor rgb colour[6], \
     for [s = 1 : series] $data index block(1, s) using (s):($1 + $2 + $3 + $4 + $5):(0.62) with boxes linecolor rgb colour[5], \
     for [s = 1 : series] $data index block(1, s) using (s):($1 + $2 + $3 + $4):(0.62) with boxes linecolor rgb colour[4], \
     for [s = 1 : series] $data index block(1, s) using (s):($1 + $2 + $3):(0.62) with boxes linecolor rgb colour[3], \
     for [s = 1 : series] $data index block(1, s) using (s):($1 + $2):(0.62) with boxes linecolor rgb colour[2], \
     for [s = 1 : series] $data index block(1, s) using (s):1:(0.62) with boxes linecolor rgb colour[1]
unset label
set label 4 "share (%)" at screen across(0.12), screen up(foot + lanes_h / 2) center rotate by 90
set bmargin at screen up(foot)
set tmargin at screen up(foot + lanes_h)
set ytics 50
eval name_tics
plot for [s = 1 : series] $data index block(1, s) using (s):7 with points pointtype 7 pointsize 0.6 linecolor rgb "#000000", \
     for [s = 1 : series] $data index block(1, s) using (s):8 with points pointtype 2 pointsize 0.65 linecolor rgb "#D55E00"
eval begin_legend
plot for [i = 1 : 6] NaN with boxes linecolor rgb colour[i] title class[i], \
     NaN with points pointtype 7 pointsize 0.6 linecolor rgb "#000000" title "SIMD efficiency", \
     NaN with points pointtype 2 pointsize 0.65 linecolor rgb "#D55E00" title "divergent branches"
unset multiplot
