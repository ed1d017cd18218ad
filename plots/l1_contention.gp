# A panel per L1, one below the other; per kernel a bar and marks for the what-ifs, on a logarithmic axis that has a 0.
# The types of contention share the height of the bar.
left    = 0.6
right   = 0.08
slot    = 0.26
entries = 6
entry   = "fully associative, same size"
load folder."/kernels.gp"
load folder."/empty.gp"
name    = 0.24
panel_h = 1.5
height  = title_h + panels * (panel_h + name) + foot
array colour[4] = ["#0072B2", "#E69F00", "#CC79A7", "#BBBBBB"]
array type[4]   = ["intra-warp", "cross-warp, intra-block", "cross-warp, cross-block", "no eviction (empty way)"]
of(c, a, b, d, e) = a + (c > 1 ? b : 0) + (c > 2 ? d : 0) + (c > 3 ? e : 0) # of the first c types
top(c, a, b, d, e) = of(4, a, b, d, e) > 0 ? (1 + of(4, a, b, d, e)) ** (of(c, a, b, d, e) / of(4, a, b, d, e)) - 1 : 0

eval begin_page
set label 4 "misses per thousand warp instructions (MPKI)" at screen across(0.12), screen up(foot + (panels * (name + panel_h) - name) / 2) center rotate by 90
most = 0 # of all panels, for they are to be compared
do for [c in "bar mark"] {
    stats $data using (c eq "bar" ? $1 + $2 + $3 + $4 : $5) name "most" nooutput
    most = exists("most_max") && most_max > most ? most_max : most
}
set nonlinear y via log10(1 + y) inverse 10**y - 1
set yrange [0 : most > 0 ? 1.5 * most : 1]
set ytics (0, 1, 10, 100, 1000, 10000)
do for [p = 1 : panels] {
    y = foot + (panels - p) * (name + panel_h)
    set bmargin at screen up(y)
    set tmargin at screen up(y + panel_h)
    set label 5 panel[p] at graph 0, graph 1 left offset character 0, character 0.6 font ",7.5"
    eval tell_empty(p, 1, 6, 0, "all 0")
    eval p == panels ? name_tics : no_names
    plot for [c = 4 : 1 : -1] for [s = 1 : series] $data index block(p, s) using (s):(top(c, $1, $2, $3, $4)):(0.62) with boxes linecolor rgb colour[c], \
         for [s = 1 : series] $data index block(p, s) using (s):5 with points pointtype 8 pointsize 0.75 linecolor rgb "#000000", \
         for [s = 1 : series] $data index block(p, s) using (s):6 with points pointtype 2 pointsize 0.65 linecolor rgb "#000000"
    unset label
}
eval begin_legend
plot for [i = 1 : 4] NaN with boxes linecolor rgb colour[i] title type[i], \
     NaN with points pointtype 8 pointsize 0.75 linecolor rgb "#000000" title entry, \
     NaN with points pointtype 2 pointsize 0.65 linecolor rgb "#000000" title "fully associative, 1024 x"
unset multiplot
