# A row per panel, which is a group of kernels: left the misses, right the misses and the pending hits, beside them whose
# lines these are. Series come group by group.
array colour[8] = ["#000000", "#E69F00", "#0072B2", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#999999"]
array last[panels] # of the series of each panel
s = 0
do for [p = 1 : panels] {
    more = 1
    while (more && s < series) {
        stats $data index block(p, s + 1) using ($1 == $1 ? $1 : 1 / 0) name "size" nooutput
        more = exists("size_min")
        s = s + more
    }
    last[p] = s
}
first(p) = p == 1 ? 1 : last[p - 1] + 1
place(p, s) = s - first(p) + 1
longest = 0
do for [s = 1 : series] { longest = strlen(label[s]) > longest ? strlen(label[s]) : longest }

# ---- the page, in inches
width   = 7.0
left    = 0.52
gap     = 0.14
load folder."/title.gp"
top     = title_h + 0.16
row_gap = 0.14
row_h   = panels == 1 ? 1.9 : 1.3
bottom  = 0.50
legend  = 0.50 + 0.062 * (longest < 34 ? longest : 34)
height  = top + panels * (row_h + row_gap) + bottom
panel_w = (width - left - gap - legend) / 2
eval set_page(width, height)
across(inches) = inches / width
up(inches) = inches / height

# ---- what all panels share
set style line 20 linecolor rgb "#D8D8D8" linewidth 0.5
set border 3 linewidth 0.6
set grid xtics ytics linestyle 20
set datafile missing "NaN"
set tics nomirror out scale 0.4 font ",7"
stats $data using 1 name "size" nooutput
set logscale x 2
set xrange [size_min / 1.15 : size_max * 1.15]
set yrange [0 : 105]
smallest = ceil(log(size_min) / log(2))
largest = floor(log(size_max) / log(2))

set datafile missing # a line breaks at a number that is not known: gnuplot draws it across what it calls missing
set multiplot
set label 1 title at screen across(0.12), screen 1 - up(0.13) left font ",8.5"
if (pages > 1) set label 2 sprintf("page %d of %d", page, pages) at screen across(width - 0.08), screen 1 - up(0.13) right font ",7"
set label 3 "size of the L1 (KB)" at screen across(left + panel_w + gap / 2), screen up(0.14) center
set label 4 "L1 accesses (%)" at screen across(0.12), screen up(bottom + panels * (row_h + row_gap) / 2) center rotate by 90
set label 5 "misses" at screen across(left), screen 1 - up(top - 0.10) left font ",7.5"
set label 6 "misses and pending hits" at screen across(left + panel_w + gap), screen 1 - up(top - 0.10) left font ",7.5"
do for [p = 1 : panels] {
    y = bottom + (panels - p) * (row_h + row_gap)
    set bmargin at screen up(y)
    set tmargin at screen up(y + row_h)
    set xtics ("" size_min) offset 0, 0.3
    set for [i = smallest : largest] xtics add ((p == panels ? sprintf("%g", 2.0 ** i) : "") 2.0 ** i)
    do for [n = 2 : 3] {
        x = left + (n - 2) * (panel_w + gap)
        set lmargin at screen across(x)
        set rmargin at screen across(x + panel_w)
        set ytics 25 format (n == 2 ? "%g" : "")
        if (n == 3) { set key at screen across(x + panel_w + 0.08), screen up(y + row_h) left top Left reverse samplen 2 font ",7" } else { unset key }
        plot for [s = first(p) : last[p]] $data index block(p, s) using 1:n with linespoints linecolor rgb colour[place(p, s)] \
             linewidth 2.0 - 0.12 * place(p, s) pointtype 4 + place(p, s) pointsize 0.5 - 0.03 * place(p, s) title fit(label[s], 2.1)
        do for [i = 1 : 6] { unset label i }
    }
}
unset multiplot
