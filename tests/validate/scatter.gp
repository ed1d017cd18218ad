# Scatter plots of validation.csv in $FOLDER: ours against the simulator's, a point per launch and configuration.
folder = system("echo $FOLDER")
set datafile separator comma
set datafile missing ""
set key top left samplen 1 spacing 1.1
set grid lc rgb "#dddddd" lw 0.5
set border lw 0.8
is(config, family) = strstrt(stringcolumn(config), family) == 1
only(config, family, value) = is(config, family) ? value : NaN
array family[3] = ["GTX480", "QV100", "RTX3070"]
array colour[3] = ["#0072b2", "#d55e00", "#009e73"]
array mark[3] = [6, 8, 4]
csv = folder . "/validation.csv"

set terminal pngcairo size 700,560 font "sans,13"
set output folder . "/validation_cycles.png"
set logscale xy
set format xy "10^{%L}"
set xlabel "cycles in the simulator"
set ylabel "cycles in the timed replay"
set xrange [300:1e6]
set yrange [300:1e6]
plot x with lines lc rgb "#444444" lw 1 title "equal", \
    1.2 * x with lines lc rgb "#999999" dt 2 title "± 20 %", x / 1.2 with lines lc rgb "#999999" dt 2 notitle, \
    for [i = 1:3] csv skip 1 using 14:(only(4, family[i], $15)) with points pt mark[i] ps 0.9 lc rgb colour[i] \
        title family[i]

set terminal pngcairo size 1000,520 font "sans,13"
set output folder . "/validation_l1.png"
unset logscale
set format xy "%g"
set xrange [0:100]
set yrange [0:100]
set multiplot layout 1,2
set xlabel "L1 miss rate in the simulator, %"
set ylabel "in the timed replay, %"
plot x with lines lc rgb "#444444" lw 1 title "equal", \
    x + 5 with lines lc rgb "#999999" dt 2 title "± 5 points", x - 5 with lines lc rgb "#999999" dt 2 notitle, \
    for [i = 1:3] csv skip 1 using 9:(only(4, family[i], $10)) with points pt mark[i] ps 0.9 lc rgb colour[i] \
        title family[i]
set xlabel "L1 miss and pending rate in the simulator, %"
plot x with lines lc rgb "#444444" lw 1 notitle, \
    x + 5 with lines lc rgb "#999999" dt 2 notitle, x - 5 with lines lc rgb "#999999" dt 2 notitle, \
    for [i = 1:3] csv skip 1 using 11:(only(4, family[i], $12)) with points pt mark[i] ps 0.9 lc rgb colour[i] notitle
unset multiplot
