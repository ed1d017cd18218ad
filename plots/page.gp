# What of a page follows from its texts. Loaded with its `width` and, for the legend, `entries`, their number, and `entry`,
# the longest. Sizes are in inches.
text(words) = 0.054 * strlen(words) # at 7 points

# ---- the title, broken into lines
title_h = 0.30
most = int((width - 0.2) / 0.0595)
rest = title
title = ""
while (strlen(rest) > most) {
    cut = most + 1
    while (cut > 1 && rest[cut : cut] ne " ") { cut = cut - 1 }
    title = title.rest[1 : cut - 1]."\n"
    rest = rest[cut + 1 : *]
    title_h = title_h + 0.15
}
title = title.rest

# ---- the legend
legend_columns = int((width - 0.2) / (0.40 + 1.07 * text(entry)))
legend_rows = int(ceil(real(entries) / (legend_columns > 1 ? legend_columns : 1)))
legend_h = 0.06 + 0.16 * legend_rows
