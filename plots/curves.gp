# Any query with two numbers: curves in panels, in rows of at most four, with one legend below. The names of the columns
# are those of the axes. Unless scale_x says, x is logarithmic if it has powers of two, as sizes are, or values that span
# more than a factor of eight and whose logarithms are spaced more evenly than they are; but not where all are at most 1,
# as rates are. It has a place for 0, too. curve_style says whether lines connect the points, scale_y whether panels have
# one scale.
array colour[8] = ["#000000", "#E69F00", "#0072B2", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#999999"]
# A dash for each round of colours: 8 of them for as many series as a page has. Colours and the 12 point types go round
# together after 24 series, from where on the types are shifted by one.
set dashtype 2 (8, 3)
set dashtype 3 (2, 2)
set dashtype 4 (8, 3, 2, 3)
set dashtype 5 (16, 3)
set dashtype 6 (2, 5)
set dashtype 7 (8, 3, 2, 3, 2, 3)
set dashtype 8 (16, 3, 5, 3)
do for [s = 1 : series] {
    thin = (s - 1.0) / series # one that lies on another leaves it visible
    set style line s linecolor rgb colour[(s - 1) % 8 + 1] linewidth 2.0 - thin pointtype 4 + (s - 1 + (s - 1) / 24) % 12 \
        pointsize 0.46 - 0.24 * thin dashtype 1 + (s - 1) / 8
}
set style line 100 linecolor rgb "#D8D8D8" linewidth 0.5

# ---- the page, in inches
rows    = int(ceil(panels / 4.0))
columns = int(ceil(real(panels) / rows))
width   = 7.0
entries = series
entry   = ""
do for [s = 1 : series] { entry = strlen(label[s]) > strlen(entry) ? label[s] : entry }
sample  = series > 8 ? 6 : 3
load folder."/page.gp"
load folder."/empty.gp"
name    = 0.22 # above each panel
panel_h = panels == 1 ? 2.6 : rows == 1 ? 1.6 : 1.05
bottom  = 0.50 + legend_h
height  = title_h + rows * (name + panel_h) + bottom

# ---- the scale along y: one for all panels, but each its own where one has less than a tenth of another's values
set datafile missing "NaN"
known(a, b) = a == a && b == b # neither is NaN
array low[panels]
array high[panels]
least = 1e300
lowest = 0
highest = 0
do for [p = 1 : panels] {
    stats $data index block(p, 1) : block(p, series) using (known($1, $2) ? $2 : 1 / 0) name "y" nooutput
    low[p] = exists("y_min") && y_min < 0 ? y_min : 0
    high[p] = exists("y_max") && y_max > 0 ? y_max : 0
    lowest = low[p] < lowest ? low[p] : lowest
    highest = high[p] > highest ? high[p] : highest
    least = high[p] > low[p] && high[p] - low[p] < least ? high[p] - low[p] : least
}
if (highest == lowest) { highest = 1 }
shared = scale_y eq "" ? least >= 0.1 * (highest - lowest) : scale_y eq "shared"
tics_w = 0
do for [p = 1 : panels] {
    if (shared || high[p] == low[p]) { low[p] = lowest; high[p] = highest }
    tics_w = tic_w(low[p], high[p]) > tics_w ? tic_w(low[p], high[p]) : tics_w
}
gap     = shared ? 0.20 : 0.20 + tics_w

# ---- the name along y: on two lines, where one has no room for it
tall   = rows * (name + panel_h) - name
beside = fit(column_name[2], tall + 0.2)
middle = 0 # the blank nearest to it
do for [i = 2 : strlen(column_name[2]) - 1] {
    if (column_name[2][i : i] eq " " && abs(i - strlen(column_name[2]) / 2) < abs(middle - strlen(column_name[2]) / 2)) { middle = i }
}
broken = middle && beside ne column_name[2]
if (broken) { beside = fit(column_name[2][1 : middle - 1], tall + 0.2)."\n".fit(column_name[2][middle + 1 : *], tall + 0.2) }
left   = (broken ? 0.54 : 0.40) + tics_w

# ---- the scale along x: powers of two, or numbers that are written out (below 10,000 gnuplot does so itself)
is_power(x) = x > 0 && abs(log(x) / log(2) - int(floor(log(x) / log(2) + 0.5))) < 1e-9
stats $data using (known($1, $2) && $1 != 0 && !is_power($1) ? $1 : 1 / 0) name "other" nooutput
powers = !exists("other_min")
stats $data using (known($1, $2) ? $1 : 1 / 0) name "x" nooutput
stats $data using (known($1, $2) && $1 > 0 ? $1 : 1 / 0) name "above" nooutput
stats $data using (known($1, $2) && $1 > 0 ? log($1) : 1 / 0) name "exponent" nooutput
lopsided(mean, low, high) = abs((mean - low) / (high - low) - 0.5)
varies = x_max > 1 && x_min >= 0 && above_max > above_min
far = varies && x_min > 0 && x_max / x_min > 8
even = far && lopsided(exponent_mean, exponent_min, exponent_max) < lopsided(x_mean, x_min, x_max)
logarithmic = scale_x eq "" ? even || varies && powers : scale_x eq "log" && x_max > 0
# Where it is short, 1, 2 and 5 times a power of ten may be a single number: numbers in equal steps, as a linear one has.
short = logarithmic && !powers && x_min > 0 && x_max <= 4 * x_min
wide = logarithmic && !short
# of the logarithmic axis: powers of two, or 1, 2 and 5 times a power of ten, by number
x_tic(i) = powers ? 2.0 ** i : word("1 2 5", i - 3 * floor(i / 3.0) + 1) * 10.0 ** floor(i / 3.0)
steps(ratio) = powers ? log(ratio) / log(2) : 3 * log10(ratio)
below(x) = int(floor(steps(x) + 0.2)) - (x_tic(int(floor(steps(x) + 0.2))) > x * (1 + 1e-9))
has_zero = wide && x_min == 0
if (has_zero) { x_min = x_tic(below(above_min) - 1) }
zero = has_zero ? x_min : 0 # where 0 stands
at(x) = x == 0 ? zero : x
edge = x_max > x_min ? 0.05 * (x_max - x_min) : 0.5
large = abs(farther(x_min, x_max)) >= 10000
binary(x) = x < 1024 ? sprintf("%g", x) : x < 1048576 ? sprintf("%gKi", x / 1024) : x < 2.0 ** 30 ? sprintf("%gMi", x / 1048576) : sprintf("%gGi", x / 2.0 ** 30)
in_words(x) = has_zero && x == zero ? "0" : powers ? binary(x) : x < 10000 ? sprintf("%g", x) : brief(x, x)
x_by = x_max > x_min ? step(x_max - x_min) : 1
one = apart(x_max, abs(x_max), 1e-5 * abs(x_max)) # number, if all are the same
first   = wide ? below(x_min) : 0
last    = wide ? below(1.2 * x_max) : 0
label_w = wide ? farther(text(in_words(x_tic(first))), text(in_words(x_tic(last)))) : !large && !short ? 0 : x_max > x_min ? tic_w(x_min, x_max) : text(one)

# ---- room for the rightmost number, which stands `inset` from the edge of its panel, and which numbers have room
right   = 0.08
do for [try = 1 : 2] {
    panel_w = (width - left - right - (columns - 1) * gap) / columns
    inset   = panel_w * (wide ? steps(1.2 * x_max / x_tic(last)) / steps(1.44 * x_max / x_min) : x_max > x_min ? 0.05 / 1.1 : 0.5)
    right   = label_w / 2 - inset > 0.04 ? label_w / 2 - inset + 0.04 : 0.08
}
# how often the room between two numbers is in a panel; on a short axis, that before the last
last_x = 1.0 * x_by * floor(x_max / x_by + 1e-9)
rooms = short && x_max > x_min ? 1.1 * log(x_max / x_min) / log(last_x / (last_x - x_by)) : floor(x_max / x_by) - ceil(x_min / x_by) + 1
every = wide ? int(ceil((label_w + 0.06) * steps(1.44 * x_max / x_min) / panel_w)) : rooms * (label_w + 0.08) > panel_w ? 2 : 1
nth = every > (last - first) / 7 + 1 ? every : (last - first) / 7 + 1
if (!powers && nth > 1) { # 1 times a power alone
    nth = 3 * int(ceil(nth / 3.0))
    first = has_zero ? first : 3 * int(ceil(first / 3.0))
}
second = first + (has_zero ? every : nth)
if (!powers && nth > 1) { second = 3 * int(ceil(second / 3.0)) }
markers = ceil(panel_w / 0.1) # of a curve of many points: more would hide it

eval set_page(width, height)
across(inches) = inches / width
up(inches) = inches / height

# ---- what all panels share
drawn = curve_style eq "points" ? "with points linestyle s linewidth 1 pointsize 0.45" : "with linespoints linestyle s pointnumber markers"
set border 3 linewidth 0.6
set grid xtics ytics linestyle 100
set tics nomirror out scale 0.4 font ",7"
unset key
if (wide) { set logscale x 2; set xrange [x_min / 1.2 : x_max * 1.2] } else { set xrange [x_min - edge : x_max + edge] }
if (short && x_max > x_min) { # set logscale has no tics in equal steps
    reach = (x_max / x_min) ** 0.05
    set xrange [x_min / reach : x_max * reach]
    set nonlinear x via log(x) inverse exp(x)
}

set datafile missing # a line breaks at a number that is not known: gnuplot draws it across what it calls missing
set multiplot
set label 1 title at screen across(0.12), screen 1 - up(0.15) left font ",8.5"
if (pages > 1) set label 2 sprintf("page %d of %d", page, pages) at screen across(width - right), screen 1 - up(0.15) right font ",7"
set label 3 column_name[1] at screen across((left + width - right) / 2), screen up(bottom - 0.36) center
set label 4 beside at screen across(0.12), screen up(bottom + tall / 2) center rotate by 90
do for [p = 1 : panels] {
    by = step(high[p] - low[p])
    set yrange [by * floor(low[p] / by) : by * ceil(high[p] / by)]
    eval numbered("y", low[p], high[p])
    if (shared && (p - 1) % columns > 0) { set ytics by }
    if ((large || short || x_max == x_min) && !wide) {
        if (x_max > x_min) { eval numbered_every(every, "x", x_min, x_max) } else { set xtics (one x_max) }
        if (p + columns <= panels) { set xtics x_by format "" }
        set xtics offset 0, 0.3
    } else {
        set xtics format (p + columns > panels ? "%g" : "") offset 0, 0.3
    }
    if (wide) {
        set xtics ((p + columns > panels ? in_words(x_tic(first)) : "") x_tic(first))
        set for [i = second : last : nth] xtics add ((p + columns > panels ? in_words(x_tic(i)) : "") x_tic(i))
    }
    x = left + (p - 1) % columns * (panel_w + gap)
    y = bottom + (rows - 1 - (p - 1) / columns) * (name + panel_h)
    set lmargin at screen across(x)
    set rmargin at screen across(x + panel_w)
    set bmargin at screen up(y)
    set tmargin at screen up(y + panel_h)
    eval tell_empty(p, 2, 2, 0, "")
    set label 5 fit(panel[p], panel_w + 0.06) at graph 0, graph 1 left offset character 0, character 0.6 font ",7.5"
    plot for [s = 1 : series] $data index block(p, s) using (at($1)):2 @drawn notitle
    do for [i = 1 : 4] { unset label i }
}

# ---- one legend for the page
unset label
unset border
unset tics
unset grid
unset logscale
unset nonlinear x
set xrange [0 : 1]
set yrange [0 : 1]
set lmargin at screen across(0.1)
set rmargin at screen across(width - 0.1)
set bmargin at screen 0
set tmargin at screen up(legend_h)
set key center center horizontal Left reverse maxrows legend_rows samplen sample font ",7.5"
plot for [s = 1 : series] NaN @drawn title fit(label[s], legend_w)
unset multiplot
