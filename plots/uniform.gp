# Two panels from one: per kernel three bars of redundant operations, with a mark for what the detector `token` finds;
# below it the share of the uniform instructions that a reuse buffer of 2 to 16 entries spares. Legends lie above them.
left    = 0.6
right   = 0.08
slot    = 0.26
entries = 4
entry   = "between warps alone (8 entries)"
load folder."/kernels.gp"
load folder."/empty.gp"
gap     = legend_h + 0.12
tall    = 1.6
low     = 1.0
height  = title_h + legend_h + tall + gap + low + names_h
array colour[3] = ["#0072B2", "#E69F00", "#999999"]
array what[3]   = ["within warps", entry, "both"]
array tone[4]   = ["#A6CEE3", "#56B4E9", "#0072B2", "#003D5C"]

most = 50
do for [c = 1 : 3] {
    stats $data using c name "of" nooutput
    if (exists("of_max")) { most = of_max > most ? of_max : most }
}

eval begin_page
set label 2 "scalar instructions (%)" at screen across(0.12), screen up(names_h + low + gap + tall / 2) center rotate by 90
set label 3 "reused (%)" at screen across(0.12), screen up(names_h + low / 2) center rotate by 90
set bmargin at screen up(names_h + low + gap)
set tmargin at screen up(names_h + low + gap + tall)
set yrange [0:most]
set ytics 10
eval no_names
eval tell_empty(1, 1, 4, 0, "all 0")
plot for [b = 1 : 3] for [s = 1 : series] $data index block(1, s) using (s + 0.26 * (b - 2)):b:(0.24) with boxes linecolor rgb colour[b], \
     for [s = 1 : series] $data index block(1, s) using (s - 0.26):4 with points pointtype 13 pointsize 0.55 linecolor rgb "#D55E00"
unset label
set bmargin at screen up(names_h)
set tmargin at screen up(names_h + low)
set yrange [0:100]
set ytics 25
eval name_tics
eval tell_empty(1, 5, 8, 0, "all 0")
plot for [e = 1 : 4] for [s = 1 : series] $data index block(1, s) using (s + 0.2 * (e - 2.5)):(column(4 + e)):(0.18) with boxes linecolor rgb tone[e]
eval begin_legend
set bmargin at screen up(height - title_h - legend_h + 0.06)
set tmargin at screen up(height - title_h + 0.06)
plot for [b = 1 : 3] NaN with boxes linecolor rgb colour[b] title what[b], \
     NaN with points pointtype 13 pointsize 0.55 linecolor rgb "#D55E00" title "within warps, by token"
set bmargin at screen up(names_h + low + 0.06)
set tmargin at screen up(names_h + low + gap - 0.06)
plot for [e = 1 : 4] NaN with boxes linecolor rgb tone[e] title sprintf("%d entries", 2 ** e)
unset multiplot
