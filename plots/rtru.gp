# Two panels from one: per kernel a bar of the mean RTRU with marks for the geometric mean and the largest; below it the
# share of CTAs that do not diverge.
left    = 0.6
right   = 0.08
slot    = 0.26
entries = 3
entry   = "geometric mean where above 0"
load folder."/kernels.gp"
load folder."/empty.gp"
gap     = 0.16
tall    = 1.7
low     = 0.6
height  = title_h + tall + gap + low + foot

eval begin_page
set label 2 "RTRU (%)" at screen across(0.12), screen up(foot + low + gap + tall / 2) center rotate by 90
set label 3 "even (%)" at screen across(0.12), screen up(foot + low / 2) center rotate by 90
set bmargin at screen up(foot + low + gap)
set tmargin at screen up(foot + low + gap + tall)
set yrange [0:100]
set ytics 25
eval no_names
eval tell_empty(1, 1, 3, 0, "all 0")
plot for [s = 1 : series] $data index block(1, s) using (s):1:(0.62) with boxes linecolor rgb "#56B4E9", \
     for [s = 1 : series] $data index block(1, s) using (s):2 with points pointtype 13 pointsize 0.7 linecolor rgb "#D55E00", \
     for [s = 1 : series] $data index block(1, s) using (s):($3 > 0 ? $3 : NaN) with points pointtype 8 pointsize 0.75 linecolor rgb "#000000"
unset label
set bmargin at screen up(foot)
set tmargin at screen up(foot + low)
set ytics 50
eval name_tics
eval tell_empty(1, 4, 4, 0, "all 0")
plot for [s = 1 : series] $data index block(1, s) using (s):4:(0.62) with boxes linecolor rgb "#BBBBBB"
eval begin_legend
plot NaN with boxes linecolor rgb "#56B4E9" title "mean over CTAs", \
     NaN with points pointtype 13 pointsize 0.7 linecolor rgb "#D55E00" title entry, \
     NaN with points pointtype 8 pointsize 0.75 linecolor rgb "#000000" title "largest"
unset multiplot
