# Panels in rows of at most four, with one legend below: hit ratio against capacity. Colour-blind readers can tell the
# colours apart; the dashes tell them apart in grey.
set style line 1 linecolor rgb "#000000" linewidth 1.7
set style line 2 linecolor rgb "#E69F00" linewidth 1.4 dashtype (8, 3)
set style line 3 linecolor rgb "#0072B2" linewidth 1.2 dashtype (3, 2)
set style line 4 linecolor rgb "#CC79A7" linewidth 1.2 dashtype (10, 3, 2, 3)
set style line 20 linecolor rgb "#D8D8D8" linewidth 0.5

rows    = int(ceil(panels / 4.0))
columns = int(ceil(real(panels) / rows))
width   = columns == 1 ? 3.4 : columns == 2 ? 5.0 : 7.0
left    = 0.52
right   = 0.08
gap     = 0.10
entries = series
entry   = ""
do for [s = 1 : series] { entry = strlen(label[s]) > strlen(entry) ? label[s] : entry }
sample  = 3
load folder."/page.gp"
load folder."/empty.gp"
name    = 0.20
panel_h = rows > 1 || columns == 4 ? 1.05 : 1.4
bottom  = legend_h + 0.42
height  = title_h + rows * (name + panel_h) + bottom
panel_w = (width - left - right - (columns - 1) * gap) / columns

eval set_page(width, height)
across(inches) = inches / width
up(inches) = inches / height
set border 3 linewidth 0.6
set grid xtics ytics linestyle 20
set datafile missing "NaN"
set logscale x 2
stats $data using 1 name "KB" nooutput
largest = KB_max > 4096 ? KB_max : 4096
set xrange [1 : largest]
in_B(KB) = KB < 1024 ? sprintf("%dKi", KB) : sprintf("%dMi", KB / 1024)
numbers = '"1Ki" 1'
blanks  = '"" 1'
step    = largest > 4096 ? 16 : 4
do for [e = 1 : int(log(largest / 1.5) / log(step))] {
    numbers = numbers.sprintf(', "%s" %d', in_B(step ** e), step ** e)
    blanks  = blanks.sprintf(', "" %d', step ** e)
}
stats $data using 3 name "block" nooutput
blocks  = block_min == block_max ? sprintf("; blocks of %d B", block_min) : ""
set yrange [0:105]
set tics nomirror out scale 0.4 font ",7"
unset key

set datafile missing # a line breaks at a number that is not known: gnuplot draws it across what it calls missing
set multiplot
set label 1 title at screen across(0.12), screen 1 - up(0.15) left font ",8.5"
if (pages > 1) set label 2 sprintf("page %d of %d", page, pages) at screen across(width - right), screen 1 - up(0.15) right font ",7"
set label 3 "capacity of the cache (B".blocks.")" at screen across((left + width - right) / 2), screen up(legend_h + 0.13) center
set label 4 "hit ratio (%)" at screen across(0.12), screen up(bottom + (rows * (name + panel_h) - name) / 2) center rotate by 90
do for [p = 1 : panels] {
    column = (p - 1) % columns
    x = left + column * (panel_w + gap)
    y = bottom + (rows - 1 - (p - 1) / columns) * (name + panel_h)
    set lmargin at screen across(x)
    set rmargin at screen across(x + panel_w)
    set bmargin at screen up(y)
    set tmargin at screen up(y + panel_h)
    eval tell_empty(p, 2, 2, 0, "")
    set label 5 fit(panel[p], panel_w + gap - 0.06) at graph 0, graph 1 left offset character 0, character 0.6 font ",7.5"
    set ytics 25 format (column == 0 ? "%g" : "")
    eval "set xtics (".(p + columns > panels ? numbers : blanks).") offset 0, 0.3"
    plot for [s = 1 : series] $data index block(p, s) using 1:2 with lines linestyle s notitle
    do for [i = 1 : 4] { unset label i }
}
unset label
unset border
unset tics
unset grid
unset logscale
set lmargin at screen across(0.1)
set rmargin at screen across(width - 0.1)
set bmargin at screen 0
set tmargin at screen up(legend_h)
set key center center horizontal Left reverse maxrows legend_rows samplen sample font ",7.5"
plot for [s = 1 : series] NaN with lines linestyle s title fit(label[s], legend_w)
unset multiplot
