# A panel per L1, one below the other; two bars for each kernel, in percent of the misses of the L1 itself.
left    = 0.6
right   = 0.08
slot    = 0.26
entries = 2
entry   = "fully associative, 1024 times the size"
load folder."/kernels.gp"
load folder."/empty.gp"
name    = 0.24
panel_h = 1.5
height  = title_h + panels * (panel_h + name) + foot
array colour[2] = ["#0072B2", "#E69F00"]

most = 120
do for [c = 1 : 2] {
    stats $data using c name "of" nooutput
    if (exists("of_max")) { most = of_max > most ? of_max : most }
}

eval begin_page
set label 4 "misses (% of the set-associative L1's)" at screen across(0.12), screen up(foot + (panels * (name + panel_h) - name) / 2) center rotate by 90
set yrange [0 : most]
if (most > 240) { set ytics autofreq } else { set ytics 20 }
do for [p = 1 : panels] {
    y = foot + (panels - p) * (name + panel_h)
    set bmargin at screen up(y)
    set tmargin at screen up(y + panel_h)
    set label 5 panel[p] at graph 0, graph 1 left offset character 0, character 0.6 font ",7.5"
    set arrow 1 from graph 0, first 100 to graph 1, first 100 nohead linewidth 0.8 linecolor rgb "#606060" dashtype 2
    eval tell_empty(p, 1, 2, 0, "all 0")
    eval p == panels ? name_tics : no_names
    plot for [s = 1 : series] $data index block(p, s) using (s - 0.18):1:(0.34) with boxes linecolor rgb colour[1], \
         for [s = 1 : series] $data index block(p, s) using (s + 0.18):2:(0.34) with boxes linecolor rgb colour[2]
    unset label
}
unset arrow 1
eval begin_legend
plot NaN with boxes linecolor rgb colour[1] title "fully associative, same size", \
     NaN with boxes linecolor rgb colour[2] title entry
unset multiplot
