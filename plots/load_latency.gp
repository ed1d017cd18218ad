# Per kernel a box of the middle half of its loads with a line at the median, whiskers that leave a tenth at each end,
# and a mark for the longest of 99 in 100.
left    = 0.6
right   = 0.08
slot    = 0.26
entries = 4
entry   = "all but a tenth at each end"
load folder."/kernels.gp"
panel_h = 2.0
height  = title_h + panel_h + foot

eval begin_page
set label 2 "cycles from issue to the last data" at screen across(0.12), screen up(foot + panel_h / 2) center rotate by 90
set bmargin at screen up(foot)
set tmargin at screen up(foot + panel_h)
set logscale y
set yrange [10:*]
if (sliced) { # one scale for all pages
    stats $data using ($5 > $6 ? $5 : $6) name "most" nooutput
    if (exists("most_max")) { set yrange [10 : 1.2 * most_max] }
}
eval name_tics
plot for [s = 1 : series] $data index block(1, s) using (s):1:(0):($5 - $1) with vectors nohead linecolor rgb "#000000" linewidth 0.8, \
     for [s = 1 : series] $data index block(1, s) using (s):3:(s - 0.31):(s + 0.31):2:4 with boxxyerror linecolor rgb "#56B4E9", \
     for [s = 1 : series] $data index block(1, s) using (s - 0.31):3:(0.62):(0) with vectors nohead linecolor rgb "#000000" linewidth 1.4, \
     for [s = 1 : series] $data index block(1, s) using (s):6 with points pointtype 13 pointsize 0.5 linecolor rgb "#D55E00"
unset logscale
eval begin_legend
plot NaN with boxes linecolor rgb "#56B4E9" title "middle half of the loads", \
     NaN with lines linecolor rgb "#000000" linewidth 1.4 title "median", \
     NaN with lines linecolor rgb "#000000" linewidth 0.8 title entry, \
     NaN with points pointtype 13 pointsize 0.5 linecolor rgb "#D55E00" title "99 in 100 take no longer"
unset multiplot
