# The title, broken into lines that the page holds. Loaded with its `width`; `title_h` is what the title takes of its
# height. Sizes are in inches.
text(words) = 7 / 7.5 * fit_w(words) # width at 7 points
title_h = strlen(title) || pages > 1 ? 0.30 : 0.10
most = int((width - 0.2 - (pages > 1 ? 0.8 : 0)) / 0.0595)
rest = title
breaks(at) = rest[at : at] eq " " && rest[at + 1 : at + 1] ne "%"
title = ""
while (strlen(rest) > most) {
    cut = int(strlen(rest) / ceil(strlen(rest) / real(most))) # of lines that are as long as each other
    while (cut <= most && !breaks(cut)) { cut = cut + 1 }
    while (cut > 1 && !breaks(cut)) { cut = cut - 1 }
    line_end = cut > 1 ? cut - 1 : int(0.85 * most) # a word that no line holds is a name, of wider letters than a text
    title = title.rest[1 : line_end]."\n"
    rest = rest[line_end + (cut > 1 ? 2 : 1) : *]
    title_h = title_h + 0.18 # gnuplot's SVG has lines as far apart, its PNG less
}
title = title.rest
