# Per kernel a bar of 100 percent, stacked by pattern.
left    = 0.6
right   = 0.08
slot    = 0.26
entries = 5
entry   = "consecutive"
load folder."/kernels.gp"
panel_h = 1.9
height  = title_h + panel_h + foot
array colour[5] = ["#0072B2", "#56B4E9", "#009E73", "#E69F00", "#999999"]
array type[5]   = ["single", "broadcast", "consecutive", "range", "other"]

eval begin_page
set label 4 "load requests (%)" at screen across(0.12), screen up(foot + panel_h / 2) center rotate by 90
set bmargin at screen up(foot)
set tmargin at screen up(foot + panel_h)
set yrange [0:100]
set ytics 25
eval name_tics
plot for [s = 1 : series] $data index block(1, s) using (s):($1 + $2 + $3 + $4 + $5):(0.62) with boxes linecolor rgb colour[5], \
     for [s = 1 : series] $data index block(1, s) using (s):($1 + $2 + $3 + $4):(0.62) with boxes linecolor rgb colour[4], \
     for [s = 1 : series] $data index block(1, s) using (s):($1 + $2 + $3):(0.62) with boxes linecolor rgb colour[3], \
     for [s = 1 : series] $data index block(1, s) using (s):($1 + $2):(0.62) with boxes linecolor rgb colour[2], \
     for [s = 1 : series] $data index block(1, s) using (s):1:(0.62) with boxes linecolor rgb colour[1]
eval begin_legend
plot for [i = 1 : 5] NaN with boxes linecolor rgb colour[i] title type[i]
unset multiplot
