# Panels in rows of two; per warp a bar from its begin to its end, and in another colour on to the end of the CTA. Loaded
# by figures that give another `time` (what is along x), and `misses`: then there is an eighth number, drawn as points
# with an axis above. Of the others, the last three say in the panel's title which CTA it is.
if (!exists("time")) time = "warp instructions"
if (!exists("misses")) misses = 0
rows    = int(ceil(panels / 2.0))
columns = panels > 1 ? 2 : 1
width   = 7.0
left    = 0.5
right   = 0.3
gap     = 0.42
entries = 2 + misses
entry   = "has ended, holds its resources"
sample  = 1.5
load folder."/page.gp"
top     = title_h + 0.06
name    = misses ? 0.50 : 0.34
panel_h = 0.85
bottom  = 0.28 + legend_h
height  = top + rows * (name + panel_h) + bottom
panel_w = (width - left - right - (columns - 1) * gap) / columns
eval set_page(width, height)
across(inches) = inches / width
up(inches) = inches / height
busy = "#0072B2"
lost = "#F0D9B5"
missed = "#D55E00"
set style fill solid 1.0 noborder
set border 3 linewidth 0.6
set tics nomirror out scale 0.4 font ",7"
set datafile missing "NaN"
unset key

set multiplot
set label 1 title at screen across(0.12), screen 1 - up(0.13) left font ",8.5"
if (pages > 1) set label 4 sprintf("page %d of %d", page, pages) at screen across(width - right), screen 1 - up(0.13) right font ",7"
set label 2 "warp of the CTA" at screen across(0.12), screen up(bottom + 0.16 + (rows * (name + panel_h) - name) / 2) center rotate by 90
set label 3 time at screen across((left + width - right) / 2), screen up(bottom - 0.12) center
do for [p = 1 : panels] {
    x = left + ((p - 1) % columns) * (panel_w + gap)
    y = bottom + (rows - 1 - (p - 1) / columns) * (name + panel_h) + 0.16
    set lmargin at screen across(x)
    set rmargin at screen across(x + panel_w)
    set bmargin at screen up(y)
    set tmargin at screen up(y + panel_h)
    set xrange [*:*]
    set yrange [*:*]
    stats $data index block(p, 1) using 5:6 nooutput
    which = sprintf(", launch %d, CTA %d", STATS_max_x, STATS_max_y)
    stats $data index block(p, 1) using 7 nooutput
    which = which.sprintf(": RTRU %.1f %%", 100 * STATS_max)
    set label 5 fit(panel[p], panel_w + gap - 0.1 - fit_w(which)).which at graph 0, graph 1 left offset character 0, character (misses ? 1.7 : 0.5) font ",7.5"
    if (misses) {
        stats $data index block(p, 1) using 8 name "M" nooutput
        most = M_max > 0 ? M_max : 1
        set x2range [0:1.05 * most]
        set x2tics (sprintf("%.0f", most) most) offset 0, -0.4
    }
    stats $data index block(p, 1) using 1:4 nooutput
    set xrange [0:STATS_max_y]
    set yrange [STATS_max_x + 0.6:-0.6]
    set xtics ("0" 0) offset 0, 0.35
    set for [i = 1 : 2] xtics add (brief(int(i * STATS_max_y / 2), STATS_max_y) int(i * STATS_max_y / 2))
    set ytics (0, int(STATS_max_x)) offset 0.4, 0
    bars = "$data index block(p, 1) using 4:1:(0):4:($1 - 0.42):($1 + 0.42) with boxxyerror linecolor rgb lost, $data index block(p, 1) using 3:1:2:3:($1 - 0.42):($1 + 0.42) with boxxyerror linecolor rgb busy"
    points = ", $data index block(p, 1) using 8:1 axes x2y1 with points pointtype 7 pointsize 0.35 linecolor rgb missed"
    eval "plot ".bars.(misses ? points : "")
    do for [i = 1 : 4] { unset label i }
}
unset label 5
unset border
unset tics
set lmargin at screen across(left)
set rmargin at screen across(width - right)
set bmargin at screen 0
set tmargin at screen up(legend_h)
set xrange [0:1]
set yrange [0:1]
set key center center horizontal Left reverse maxrows legend_rows samplen sample font ",7.5"
bars = "NaN with boxes linecolor rgb busy title 'executes', NaN with boxes linecolor rgb lost title entry"
points = ", NaN with points pointtype 7 pointsize 0.5 linecolor rgb missed title 'L1 MPKI (above)'"
eval "plot ".bars.(misses ? points : "")
unset multiplot
