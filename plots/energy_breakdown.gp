# Groups of four stacked bars, a group per kernel: D distributed dispatch, B distributed_block, I with intra-cluster
# coalescing, C with the coalesced cache, too. The parts are drawn from the tallest top down.
width  = 7.0
left   = 0.6
right  = 0.07
load folder."/title.gp"
slots  = series
load folder."/names.gp"
foot   = 0.20 + names_h
height = title_h + 1.94 + foot
eval set_page(width, height)
across(inches) = inches / width
up(inches) = inches / height
array colour[5] = ["#0072B2", "#56B4E9", "#E69F00", "#009E73", "#CC79A7"]
array part[5]   = ["cores, registers, ICC", "L1", "network", "L2", "DRAM"]
set style fill solid 1.0 noborder
set border 3 linewidth 0.6
set grid ytics linecolor rgb "#D8D8D8" linewidth 0.5
set tics nomirror out scale 0.4 font ",7"
set datafile missing "NaN"
set xrange [0.4:series + 0.6]
set yrange [0:*]
if (sliced) { # one scale for all pages
    stats $data using ($6 > $7 ? $6 : $7) name "most" nooutput
    if (exists("most_max")) { set yrange [0 : 1.04 * most_max] }
}
set lmargin at screen across(left)
set rmargin at screen across(width - right)
set bmargin at screen up(foot)
set tmargin at screen up(foot + 1.6)
set key at screen across(left + plot_w / 2), screen up(foot + 1.95) center top horizontal Left reverse samplen 1 width -1 font ",7" maxrows 2
set label 1 title at screen across(0.12), screen 1 - up(0.13) left font ",8.5"
if (pages > 1) set label 3 sprintf("page %d of %d", page, pages) at screen across(width - right), screen 1 - up(0.13) right font ",7"
set label 4 "relative to distributed" at screen across(0.12), screen up(foot + 0.8) center rotate by 90 font ",8"
set label 2 "In each group from the left: distributed, distributed block, with ICC, with the coalesced cache" at screen across(left), screen up(0.10) left font ",7"
set xtics 1, 1, series @names
set for [s = 1 : series] xtics add (name_tic(s) s)
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead linewidth 0.6 linecolor rgb "#000000" front
x(s, bar) = s + 0.2 * (bar - 2.5)
plot for [t = 5 : 1 : -1] for [s = 1 : series] $data index block(1, s) using (x(s, $1)):(column(t + 1)):(0.17) \
         with boxes linecolor rgb colour[t] title (s == 1 ? part[t] : ""), \
     for [s = 1 : series] $data index block(1, s) using (x(s, $1)):7 with points pointtype 13 pointsize 0.35 linecolor rgb "#000000" title (s == 1 ? "energy-delay product" : "")
