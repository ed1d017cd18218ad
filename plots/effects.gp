# What a sweep's axes do to a metric (warpsweep effects -o): a panel for each axis, a point for each of its values, with
# the 95 % interval over kernels. All panels have one scale, so that axes can be compared.
colour  = "#0072B2"
columns = panels < 4 ? panels : panels == 4 ? 2 : 3
rows    = int(ceil(real(panels) / columns))
width   = panels == 1 ? 3.4 : 7.0
right   = 0.10
gap     = 0.20
name    = 0.22 # above each panel
panel_h = panels == 1 ? 1.9 : 1.3
entries = 0
entry   = ""
sample  = 0
load folder."/page.gp"
wide(letters) = 0.054 * letters

# ---- one scale, for ratios a logarithmic one: tics at 1, 2 and 5 times powers of ten, or in equal steps where it is short
set datafile missing "NaN"
ratio = column_name[2] eq "ratio"
known(a, b) = a == a ? a : b
stats $data using (known($3, $2)) name "low" nooutput
stats $data using (known($4, $2)) name "high" nooutput
span = high_max - low_min
even = span > 0 && !(ratio && high_max > 4 * low_min)
lowest = ratio ? 10.0 ** floor(log10(low_min)) : 1
tic(i) = lowest * 10.0 ** (i / 3) * (i % 3 == 0 ? 1 : i % 3 == 1 ? 2 : 5)
last = ratio && !even ? 3 * int(ceil(log10(high_max / lowest))) : -1 # of these tics
by = last > 12 ? 3 * int(ceil(last / 36.0)) : 1 # where there are many: some of the powers of ten
left = 0.40 + (even ? tic_w(low_min, high_max) : farther(text(sprintf("%g", lowest)), text(sprintf("%g", tic(last)))))
panel_w = (width - left - right - (columns - 1) * gap) / columns

# ---- of each panel the number of values, which of them have a name, and room for the longest: aslant, where they need it
array values[panels]
array named[panels] # every so many
array slant[panels]
names_h = 0.24
do for [p = 1 : panels] {
    stats $data index block(p, 1) using 1 name "place" nooutput
    stats $data index block(p, 1) using (strlen(strcol(6))) name "longest" nooutput
    values[p] = int(place_max)
    flat = int(ceil((values[p] + 0.4) * (wide(longest_max) + 0.06) / panel_w))
    aslant = int(ceil((values[p] + 0.4) * 0.12 / panel_w))
    slant[p] = flat > 1 && (aslant == 1 || longest_max > 6)
    named[p] = slant[p] ? aslant : flat
    names_h = slant[p] && names_h < 0.14 + 0.71 * wide(longest_max) ? 0.14 + 0.71 * wide(longest_max) : names_h
}
height = title_h + rows * (name + panel_h + names_h) + 0.06

eval set_page(width, height)
across(inches) = inches / width
up(inches) = inches / height
set border 3 linewidth 0.6
set grid ytics linecolor rgb "#D8D8D8" linewidth 0.5
set tics nomirror out scale 0.4 font ",7"
unset key

if (ratio) {
    reach = span > 0 ? (high_max / low_min) ** 0.08 : 1.5
    set yrange [low_min / reach : high_max * reach]
    set nonlinear y via log(y) inverse exp(y)
    set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead linewidth 0.6 linecolor rgb "#000000" back
} else {
    edge = span > 0 ? 0.08 * span : 0.5
    set yrange [low_min - edge : high_max + edge]
}

set multiplot
set label 1 title at screen across(0.12), screen 1 - up(0.15) left font ",8.5"
if (pages > 1) { set label 2 sprintf("page %d of %d", page, pages) at screen across(width - right), screen 1 - up(0.15) right font ",7" }
tall = rows * (name + panel_h + names_h)
set label 3 ratio ? "relative to the axis' lowest (log)" : "beyond the axis' lowest" at screen across(0.12), screen up(0.06 + names_h + (tall - names_h - name) / 2) center rotate by 90
do for [p = 1 : panels] {
    x = left + (p - 1) % columns * (panel_w + gap)
    y = 0.06 + names_h + (rows - 1 - (p - 1) / columns) * (name + panel_h + names_h)
    set lmargin at screen across(x)
    set rmargin at screen across(x + panel_w)
    set bmargin at screen up(y)
    set tmargin at screen up(y + panel_h)
    set label 5 fit(panel[p], panel_w) at graph 0, graph 1 left offset character 0, character 0.6 font ",7.5"
    first = (p - 1) % columns == 0 # of a row: the others have no numbers
    if (even) { eval numbered("y", low_min, high_max) } else { set ytics format "%g" }
    if (!first) { if (even) { set ytics step(span) } else { set ytics format "" } }
    if (last >= 0) { set ytics () }
    set for [i = 0 : last : by] ytics add (first ? sprintf("%g", tic(i)) : "" tic(i))
    set xrange [0.3 : values[p] + 0.7]
    if (slant[p]) { set xtics rotate by 45 right font ",7" } else { set xtics norotate center font ",7" }
    plot $data index block(p, 1) using 1:($5 == 1 ? $2 : NaN) with lines linecolor rgb "#99C6E0" linewidth 1, \
         $data index block(p, 1) using 1:3:(0):($4 - $3) with vectors nohead linecolor rgb colour linewidth 1.2, \
         $data index block(p, 1) using 1:2 with points pointtype 7 pointsize 0.45 linecolor rgb colour, \
         $data index block(p, 1) every named[p] using 1:2:xtic(6) with points pointtype 0 linecolor rgb colour
    do for [i = 1 : 4] { unset label i }
}
unset multiplot
