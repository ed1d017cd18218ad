# A panel for each class of kernels: a point for each mechanism, storage per SM against IPC, and a line at that of none;
# filled points are on the Pareto front.
width   = 7.0
columns = 3
rows    = ceil(panels / real(columns))
cell_h  = 1.75
in_row  = 5 # of the legend
legend  = 0.16 * ceil(series / real(in_row))
bottom  = 0.52 + legend
entries = 0
entry   = ""
sample  = 0
load folder."/page.gp"

# ---- each panel has its scale, of at least 5 % around 1, and room for points beyond the outermost
array low[panels]
array high[panels]
array by[panels] # from number to number
tics_w = 0
do for [p = 1 : panels] {
    stats $data index block(p, 1) : block(p, series) using 2 name "y" nooutput
    low[p] = exists("y_min") && y_min < 0.95 ? y_min : 0.95 # exists: something is known of the class
    high[p] = exists("y_max") && y_max > 1.05 ? y_max : 1.05
    by[p] = step((high[p] - low[p]) / 2)
    tics_w = farther(tics_w, widest(by[p], floor(low[p] / by[p]), high[p], high[p]))
}
stats $data using ($1 / 1024) name "x" nooutput
largest = exists("x_max") && x_max > 24 ? x_max : 24

left    = 0.40 + tics_w
gap     = 0.20 + tics_w
panel_w = (width - left - 0.10 - (columns - 1) * gap) / columns
height  = bottom + rows * (cell_h + 0.3) + title_h - 0.15
eval set_page(width, height)
across(inches) = inches / width
up(inches) = inches / height
array colour[8] = ["#000000", "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#7F7F7F"]
array outline[6] = [6, 8, 4, 10, 12, 14] # one for each round of colours; the number behind it is that of the filled one
of(s) = colour[(s - 1) % 8 + 1]
shape(s) = outline[(s - 1) / 8 % 6 + 1]
set border 3 linewidth 0.6
set grid linecolor rgb "#D8D8D8" linewidth 0.5
set tics nomirror out scale 0.4 font ",7"
set nonlinear x via log10(1 + x) inverse 10**x - 1
set xrange [-0.1 : 1.25 * largest]
set xtics (0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
set format "%g" # the default begins with a space, which shifts a centred number
set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead linewidth 0.6 linecolor rgb "#000000" back
unset key

set multiplot
set label 1 title at screen across(0.12), screen 1 - up(0.13) left font ",8.5"
if (pages > 1) set label 4 sprintf("page %d of %d", page, pages) at screen across(width - 0.12), screen 1 - up(0.13) right font ",7"
set label 2 "storage that is added, KB per SM" at screen across(left + ((panels < columns ? panels : columns) * (panel_w + gap) - gap) / 2), screen up(bottom - 0.34) center font ",8"
set label 3 "IPC, relative to none" at screen across(0.12), screen up(bottom + (rows * (cell_h + 0.3) - 0.45) / 2) center rotate by 90 font ",8"
do for [s = 1 : series] {
    x = 0.3 + (s - 1) % in_row * 1.32
    y = legend - 0.04 - (s - 1) / in_row * 0.16
    set label 20 + s label[s] at screen across(x + 0.09), screen up(y) left font ",7" front point pointtype shape(s) + 1 pointsize 0.5 linecolor rgb of(s) offset 0.6, 0
}
do for [p = 1 : panels] {
    x = left + (p - 1) % columns * (panel_w + gap)
    y = bottom + (rows - 1 - (p - 1) / columns) * (cell_h + 0.3)
    set lmargin at screen across(x)
    set rmargin at screen across(x + panel_w)
    set bmargin at screen up(y)
    set tmargin at screen up(y + cell_h - 0.15)
    set label 5 panel[p] at graph 0, graph 1 left offset character 0, character 0.6 font ",7.5"
    edge = 0.06 * (high[p] - low[p])
    set yrange [low[p] - edge : high[p] + edge]
    eval tics_at(1, "y", by[p], low[p], high[p], high[p])
    plot for [s = 1 : series] $data index block(p, s) using ($1 / 1024):($3 == 1 ? $2 : NaN) with points pointtype shape(s) + 1 pointsize 0.7 linecolor rgb of(s), \
         for [s = 1 : series] $data index block(p, s) using ($1 / 1024):($3 == 1 ? NaN : $2) with points pointtype shape(s) pointsize 0.7 linecolor rgb of(s)
    do for [i = 1 : 20 + series] { unset label i }
}
unset multiplot
