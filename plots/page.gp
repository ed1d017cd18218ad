# What of a page follows from its texts, and tics. Loaded with its `width` and, for the legend, `entries`, their number,
# `entry`, the longest, and `sample`, the characters before it (samplen). Sizes are in inches.
load folder."/title.gp"

# ---- tics: 1, 2 or 5 times a power of ten, about four of them, by `eval numbered("y", low, high)`, with labels as short
# as 20k, which are `tic_w` wide. Labels of numbers that are `by` apart have as many digits as tell them apart.
step(span) = nice(span / 4.0, 10 ** floor(log10(span / 4.0)))
nice(a, ten) = (a / ten > 5 ? 10 : a / ten > 2 ? 5 : a / ten > 1 ? 2 : 1) * ten
brief(x, most) = apart(x, most, most)
apart(x, most, by) = most < 10000 || x == 0 ? sprintf("%g", x) : thousands(x, int(floor(log10(abs(x)) / 3 + 1e-9)), digits(most / by))
digits(steps) = steps > 1000 ? int(ceil(log10(steps))) + 1 : 4
thousands(x, n, digits) = sprintf(sprintf("%%.%dg", digits), x / 1000.0 ** n).word("k M G T P E", n)
farther(a, b) = abs(a) > abs(b) ? a : b
numbered(axis, low, high) = numbered_every(1, axis, low, high)
numbered_every(nth, axis, low, high) = tics_at(nth, axis, step(high - low), low, high, abs(farther(low, high)))
tics_at(nth, axis, by, low, high, most) = \
    sprintf('set %stics %.15g format ""; set for [i = %d : %d] %stics add (i %% %d ? "" : apart(i * %.15g, %.15g, %.15g) i * %.15g)', \
            axis, by, floor(low / by), ceil(high / by), axis, nth, by, most, by, by)
tic_w(low, high) = widest(step(high - low), floor(low / step(high - low)), high, abs(farther(low, high)))
widest(by, i, high, most) = farther(text(apart(i * by, most, by)), i * by < high ? widest(by, i + 1, high, most) : 0)

# ---- the legend
# gnuplot counts what an entry takes in characters: those of its text, its sample, and what stands around them; those of
# SVG are the widest, and a legend that it breaks into more rows than these is cut.
legend_w = width - 0.2 - 0.073 * (sample + 3) # of a text, at most
legend_columns = int((width - 0.2) / (0.073 * (strlen(fit(entry, legend_w)) + sample + 3)))
legend_rows = int(ceil(real(entries) / (legend_columns > 1 ? legend_columns : 1)))
legend_h = 0.06 + 0.16 * legend_rows
