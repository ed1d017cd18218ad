# What a sweep's axes do to a metric (warpsweep effects -o): a panel for each axis, a point for each of its values, with
# the 95 % bootstrap interval over kernels. All panels have one scale, so that axes can be compared.
colour  = "#0072B2"
columns = panels < 4 ? panels : panels == 4 ? 2 : 3
rows    = int(ceil(real(panels) / columns))
width   = panels == 1 ? 3.4 : 7.0
left    = 0.62
right   = 0.10
gap     = 0.20
name    = 0.22 # above each panel
panel_h = panels == 1 ? 1.9 : 1.3
panel_w = (width - left - right - (columns - 1) * gap) / columns
entries = 0
entry   = ""
sample  = 0
load folder."/page.gp"

# ---- of each panel the values' places and means, in the order of the series; place 0: it does not have the value
array values[panels]
array place[panels * series]
array mean[panels * series]
do for [p = 1 : panels] {
    values[p] = 0
    do for [s = 1 : series] {
        stats $data index block(p, s) using 1 name "place" nooutput
        stats $data index block(p, s) using 2 name "mean" nooutput
        place[block(p, s) + 1] = exists("place_min") ? int(place_min) : 0
        mean[block(p, s) + 1] = exists("mean_min") ? mean_min : NaN
        values[p] = values[p] + (place[block(p, s) + 1] > 0)
    }
}

# ---- room for the longest name
longest = ""
crowded = 0
array shown[series]
do for [s = 1 : series] {
    shown[s] = strlen(label[s]) > 14 ? label[s][1 : 12].".." : label[s]
    longest = strlen(shown[s]) > strlen(longest) ? shown[s] : longest
}
do for [p = 1 : panels] { crowded = crowded || text(longest) > panel_w / (values[p] + 0.4) }
names_h = crowded ? 0.12 + 0.71 * text(longest) : 0.24
height  = title_h + rows * (name + panel_h + names_h) + 0.06

eval set_page(width, height)
across(inches) = inches / width
up(inches) = inches / height
set border 3 linewidth 0.6
set grid ytics linecolor rgb "#D8D8D8" linewidth 0.5
set datafile missing "NaN"
set tics nomirror out scale 0.4 font ",7"
set style fill solid
unset key

# ---- one scale
stats $data using 2 name "mean" nooutput
stats $data using (column(3) == column(3) ? column(3) : $2) name "low" nooutput
stats $data using (column(4) == column(4) ? column(4) : $2) name "high" nooutput
span = high_max - low_min
edge = span > 0 ? 0.08 * span : 0.5
set yrange [low_min - edge : high_max + edge]
if (span > 0) { set ytics step(span) }

set multiplot
set label 1 title at screen across(0.12), screen 1 - up(0.15) left font ",8.5"
if (pages > 1) { set label 2 sprintf("page %d of %d", page, pages) at screen across(width - right), screen 1 - up(0.15) right font ",7" }
tall = rows * (name + panel_h + names_h)
set label 3 column_name[2] eq "ratio" ? "relative to the axis' lowest" : "beyond the axis' lowest" at screen across(0.12), screen up(0.06 + names_h + (tall - names_h - name) / 2) center rotate by 90
do for [p = 1 : panels] {
    x = left + (p - 1) % columns * (panel_w + gap)
    y = 0.06 + names_h + (rows - 1 - (p - 1) / columns) * (name + panel_h + names_h)
    set lmargin at screen across(x)
    set rmargin at screen across(x + panel_w)
    set bmargin at screen up(y)
    set tmargin at screen up(y + panel_h)
    set label 5 fit(panel[p], panel_w) at graph 0, graph 1 left offset character 0, character 0.6 font ",7.5"
    if ((p - 1) % columns == 0) { set ytics format tic_format(high_max) } else { set ytics format "" }
    set xrange [0.3 : values[p] + 0.7]
    unset xtics
    if (crowded) { set xtics nomirror rotate by 45 right } else { set xtics nomirror norotate center }
    set xtics ("" 1)
    each = int(ceil(values[p] / (panel_w / 0.11)))
    array mean_at[values[p]]
    do for [s = 1 : series] {
        at = place[block(p, s) + 1]
        if (at > 0) { mean_at[at] = mean[block(p, s) + 1] }
        if (at > 0 && (at - 1) % each == 0) { set xtics add (shown[s] at) }
    }
    do for [v = 2 : values[p]] { set arrow v from v - 1, mean_at[v - 1] to v, mean_at[v] nohead linecolor rgb "#99C6E0" linewidth 1 }
    plot $data index block(p, 1) : block(p, series) using 1:3:(0):($4 - $3) with vectors nohead linecolor rgb colour linewidth 1.2, \
         $data index block(p, 1) : block(p, series) using 1:2 with points pointtype 7 pointsize 0.45 linecolor rgb colour
    unset arrow
    do for [i = 1 : 4] { unset label i }
}
unset multiplot
