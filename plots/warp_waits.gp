# A stacked bar per kernel, drawn from the top down.
left    = 0.6
right   = 0.08
slot    = 0.26
entries = 5
entry   = "their turn, a unit, the load/store unit"
array colour[5] = ["#D55E00", "#56B4E9", "#F0E442", "#CC79A7", "#BBBBBB"]
array part[5]   = [entry, "results", "barriers", "instructions to be fetched", "the end, after their last instruction"]
load folder."/kernels.gp"
panel_h = 2.0
height  = title_h + panel_h + foot

eval begin_page
set label 2 panel[1] at screen across(0.12), screen up(foot + panel_h / 2) center rotate by 90
set bmargin at screen up(foot)
set tmargin at screen up(foot + panel_h)
set yrange [0:100]
set ytics 20
eval name_tics
plot for [t = 5 : 1 : -1] for [s = 1 : series] $data index block(1, s) using (s):(column(t)):(0.62) with boxes linecolor rgb colour[t]
eval begin_legend
plot for [t = 1 : 5] NaN with boxes linecolor rgb colour[t] title part[t]
unset multiplot
