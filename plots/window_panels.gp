# Panels in rows of at most four, with one legend below: load requests that remain (percent) against the window, on an
# axis that is logarithmic but has a zero. Loaded by figures that set the line styles 1 .. series.

# ---- the page, in inches
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
name    = 0.20  # above each panel
panel_h = rows == 1 && columns < 4 ? 1.4 : 1.05
bottom  = legend_h + 0.42
height  = title_h + rows * (name + panel_h) + bottom
panel_w = (width - left - right - (columns - 1) * gap) / columns

eval set_page(width, height)
across(inches) = inches / width
up(inches) = inches / height

# ---- what all panels share
set style line 20 linecolor rgb "#D8D8D8" linewidth 0.5
set border 3 linewidth 0.6
set grid xtics ytics linestyle 20
set datafile missing "NaN"
set yrange [0:105]
set tics nomirror out scale 0.4 font ",7"
unset key

# A logarithmic axis has no zero: it stands one and a half powers of two left of 1.
at(window) = window < 1 ? -1.5 : log(window) / log(2)
stats $data using (at($1)) name "at" nooutput
widest = at_max > 8 ? at_max : 8
set xrange [-1.9 : widest + 0.4]
numbers = '"0" -1.5'
blanks  = '"" -1.5'
do for [e = 0 : int(widest) : widest > 8 ? 4 : 2] {
    numbers = numbers.sprintf(', "%d" %d', 2 ** e, e)
    blanks  = blanks.sprintf(', "" %d', e)
}

set datafile missing # a line breaks at a number that is not known: gnuplot draws it across what it calls missing
set multiplot
set label 1 title at screen across(0.12), screen 1 - up(0.15) left font ",8.5"
if (pages > 1) set label 2 sprintf("page %d of %d", page, pages) at screen across(width - right), screen 1 - up(0.15) right font ",7"
set label 3 "window (requests; 0: within a warp instruction)" at screen across((left + width - right) / 2), screen up(legend_h + 0.13) center
set label 4 "load requests remaining (%)" at screen across(0.12), screen up(bottom + (rows * (name + panel_h) - name) / 2) center rotate by 90

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
    plot for [s = 1 : series] $data index block(p, s) using (at($1)):2 with linespoints linestyle s notitle
    do for [i = 1 : 4] { unset label i }
}

# ---- one legend for the page
unset label
unset border
unset tics
unset grid
set lmargin at screen across(0.1)
set rmargin at screen across(width - 0.1)
set bmargin at screen 0
set tmargin at screen up(legend_h)
set key center center horizontal Left reverse maxrows legend_rows samplen sample spacing 1.1 font ",7.5"
plot for [s = 1 : series] NaN with linespoints linestyle s title fit(label[s], legend_w)
unset multiplot
