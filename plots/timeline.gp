# A panel per launch, below each other: a line for the memory instructions that wait, bars at the bottom for the
# arithmetic that issues, and a grey background, the darker the more of the time the L1 takes no access.
width   = 7.0
left    = 0.85
right   = 0.7
entries = 4
entry   = "L1 takes nothing half the time"
sample  = 1.5
load folder."/page.gp"
top     = title_h - 0.10 # and what the first panel has above it
name    = 0.34
panel_h = 1.05
bottom  = 0.48 + legend_h
height  = top + panels * (name + panel_h) + bottom
eval set_page(width, height)
across(inches) = inches / width
up(inches) = inches / height
waiting = "#0072B2"
arithmetic = "#D55E00"
set style fill solid 1.0 noborder
set border 11 linewidth 0.6
set tics nomirror out scale 0.4 font ",7"
set datafile missing "NaN"
unset key
grey(share) = int(255 - 115 * (share > 1 ? 1 : share)) * 65793

set multiplot
set label 1 title at screen across(0.12), screen 1 - up(0.13) left font ",8"
if (pages > 1) set label 6 sprintf("page %d of %d", page, pages) at screen across(width - right), screen 1 - up(0.13) right font ",7"
set label 2 "memory instructions\nwaiting per SM" at screen across(0.12), screen up(bottom + (panels * (name + panel_h) - name) / 2) center rotate by 90 textcolor rgb waiting
set label 3 "arithmetic instructions\nper SM and cycle" at screen 1 - across(0.27), screen up(bottom + (panels * (name + panel_h) - name) / 2) center rotate by 90 textcolor rgb arithmetic
set label 4 "cycle of the launch" at screen across((left + width - right) / 2), screen up(bottom - 0.32) center
set lmargin at screen across(left)
set rmargin at screen across(width - right)
do for [p = 1 : panels] {
    y = bottom + (panels - p) * (name + panel_h)
    set bmargin at screen up(y)
    set tmargin at screen up(y + panel_h)
    set label 5 fit(panel[p], width - left - right) at graph 0, graph 1 left offset character 0, character 0.5 font ",7.5"
    set xrange [*:*]
    set yrange [*:*]
    stats $data index block(p, 1) using 2:3 nooutput
    most = STATS_max_y > 0 ? 1.15 * STATS_max_y : 1
    end = STATS_max_x
    stats $data index block(p, 1) using 5 nooutput
    busiest = STATS_max > 0 ? STATS_max : 2
    stats $data index block(p, 1) using 1 nooutput
    set xrange [STATS_min:end]
    set yrange [0:most]
    set y2range [0:2 * busiest] # bars take the lower half
    set y2tics 0, step(busiest), busiest format "%g" offset -0.4, 0
    set ytics 0, step(most) format "%g" offset 0.4, 0
    set xtics autofreq format "%g" offset 0, 0.35
    plot $data index block(p, 1) using 2:(most):1:2:(0):(most):(grey($4)) with boxxyerror linecolor rgb variable, \
         $data index block(p, 1) using 2:5:1:2:(0):5 axes x1y2 with boxxyerror linecolor rgb arithmetic, \
         $data index block(p, 1) using (($1 + $2) / 2):3 with lines linecolor rgb waiting linewidth 1.4
    unset label
}
unset border
unset tics
set y2range [*:*]
unset y2tics
set bmargin at screen 0
set tmargin at screen up(legend_h)
set xrange [0:1]
set yrange [0:1]
set key center center horizontal Left reverse maxrows legend_rows samplen sample font ",7.5"
plot NaN with lines linecolor rgb waiting linewidth 1.4 title "waiting (left)", \
     NaN with boxes linecolor rgb arithmetic title "arithmetic (right)", \
     NaN with boxes linecolor rgb grey(0.5) title entry, \
     NaN with boxes linecolor rgb grey(1) title "L1 takes nothing all the time"
unset multiplot
