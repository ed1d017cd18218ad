# What of a page follows from its texts, and tics. Loaded with its `width` and, for the legend, `entries`, their number,
# `entry`, the longest, and `sample`, the characters before it (samplen). Sizes are in inches.
text(words) = 0.054 * strlen(words) # at 7 points

load folder."/title.gp"

# ---- tics: 1, 2 or 5 times a power of ten, about four of them up to `most`
step(most) = nice(most / 4.0, 10 ** floor(log10(most / 4.0)))
nice(a, ten) = (a / ten > 5 ? 10 : a / ten > 2 ? 5 : a / ten > 1 ? 2 : 1) * ten
tic_format(most) = most < 10000 ? "%g" : step(most) < 1000 ** floor(log10(most) / 3) ? "%.1s%c" : "%.0s%c" # 20k, not 20000

# ---- the legend
# gnuplot counts what an entry takes in characters: those of its text, its sample, and what stands around them; those of
# SVG are the widest, and a legend that it breaks into more rows than these is cut.
legend_columns = int((width - 0.2) / (0.073 * (strlen(entry) + sample + 3)))
legend_rows = int(ceil(real(entries) / (legend_columns > 1 ? legend_columns : 1)))
legend_h = 0.06 + 0.16 * legend_rows
