# A panel per L1, one below the other; per kernel a stacked bar of the types of contention, and marks for the what-ifs.
left    = 0.6
right   = 0.08
slot    = 0.26
entries = 6
entry   = "fully associative, same size"
load folder."/kernels.gp"
name    = 0.24
panel_h = 1.5
height  = title_h + panels * (panel_h + name) + foot
array colour[4] = ["#0072B2", "#E69F00", "#CC79A7", "#BBBBBB"]
array type[4]   = ["intra-warp", "cross-warp, intra-block", "cross-warp, cross-block", "no eviction (empty way)"]

eval begin_page
set label 4 "misses per thousand warp instructions (MPKI)" at screen across(0.12), screen up(foot + (panels * (name + panel_h) - name) / 2) center rotate by 90
most = 0 # of all panels, for they are to be compared
do for [c in "bar mark"] {
    stats $data using (c eq "bar" ? $1 + $2 + $3 + $4 : $5) name "most" nooutput
    most = exists("most_max") && most_max > most ? most_max : most
}
if (most > 0) { set yrange [0 : 1.04 * most]; set ytics step(most) } else { set yrange [0:*] }
do for [p = 1 : panels] {
    y = foot + (panels - p) * (name + panel_h)
    set bmargin at screen up(y)
    set tmargin at screen up(y + panel_h)
    set label 5 panel[p] at graph 0, graph 1 left offset character 0, character 0.6 font ",7.5"
    eval p == panels ? name_tics : no_names
    plot for [s = 1 : series] $data index block(p, s) using (s):($1 + $2 + $3 + $4):(0.62) with boxes linecolor rgb colour[4], \
         for [s = 1 : series] $data index block(p, s) using (s):($1 + $2 + $3):(0.62) with boxes linecolor rgb colour[3], \
         for [s = 1 : series] $data index block(p, s) using (s):($1 + $2):(0.62) with boxes linecolor rgb colour[2], \
         for [s = 1 : series] $data index block(p, s) using (s):1:(0.62) with boxes linecolor rgb colour[1], \
         for [s = 1 : series] $data index block(p, s) using (s):5 with points pointtype 8 pointsize 0.75 linecolor rgb "#000000", \
         for [s = 1 : series] $data index block(p, s) using (s):6 with points pointtype 2 pointsize 0.65 linecolor rgb "#000000"
    unset label
}
eval begin_legend
plot for [i = 1 : 4] NaN with boxes linecolor rgb colour[i] title type[i], \
     NaN with points pointtype 8 pointsize 0.75 linecolor rgb "#000000" title entry, \
     NaN with points pointtype 2 pointsize 0.65 linecolor rgb "#000000" title "fully associative, 1024 x"
unset multiplot
