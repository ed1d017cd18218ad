# A panel per kind of access; for each kernel nested bars, narrower from stage to stage. Stages that the replay does not
# know are not drawn.
array colour[4] = ["#B5D8EE", "#0072B2", "#E69F00", "#000000"]
array stage[4]  = ["left by the coalescer", "left by the L1", "left by the L2", "at DRAM"]
array wide[4]   = [0.8, 0.56, 0.36, 0.18]
stats $data using 5 nooutput
known   = int(STATS_max)
left    = 0.6
right   = 0.08
slot    = 0.26
entries = known
entry   = stage[1]
load folder."/kernels.gp"
name    = 0.24
panel_h = 1.6
height  = title_h + panels * (panel_h + name) + foot

eval begin_page
set label 4 "share of the lane accesses (%)" at screen across(0.12), screen up(foot + (panels * (name + panel_h) - name) / 2) center rotate by 90
set yrange [0:100]
set ytics 20
do for [p = 1 : panels] {
    y = foot + (panels - p) * (name + panel_h)
    set bmargin at screen up(y)
    set tmargin at screen up(y + panel_h)
    set label 5 panel[p] at graph 0, graph 1 left offset character 0, character 0.6 font ",7.5"
    eval p == panels ? name_tics : no_names
    plot for [i = 1 : known] for [s = 1 : series] $data index block(p, s) using (s):i:(wide[i]) with boxes linecolor rgb colour[i]
    unset label
}
eval begin_legend
plot for [i = 1 : known] NaN with boxes linecolor rgb colour[i] title stage[i]
unset multiplot
