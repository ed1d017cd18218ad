# The title, broken into lines that the page holds. Loaded with its `width`; `title_h` is what the title takes of its
# height. Sizes are in inches.
text(words) = 7 / 7.5 * fit_w(words) # width at 7 points
title_h = strlen(title) || pages > 1 ? 0.30 : 0.10
room = width - 0.14 - (pages > 1 ? 0.8 : 0)
line_em(c) = fit_em(c) < 0.5 ? 0.34 : fit_em(c) # narrow letters have their mean width: a text has more of them than a name
line_w(words) = 8.5 / 72 * sum [i = 1 : strlen(words)] line_em(words[i : i])
rest = title
breaks(at) = rest[at : at] eq " " && rest[at + 1 : at + 1] ne "%"
title = ""
while (line_w(rest) > room) {
    cut = int(strlen(rest) / ceil(line_w(rest) / room)) # of lines that are as long as each other
    while (line_w(rest[1 : cut - 1]) > room) { cut = cut - 1 }
    while (line_w(rest[1 : cut]) <= room && !breaks(cut)) { cut = cut + 1 }
    line_end = cut - 1 # of a word that no line holds
    while (cut > 1 && !breaks(cut)) { cut = cut - 1 }
    line_end = cut > 1 ? cut - 1 : line_end
    title = title.rest[1 : line_end]."\n"
    rest = rest[line_end + (cut > 1 ? 2 : 1) : *]
    title_h = title_h + 0.18 # gnuplot's SVG has lines as far apart, its PNG less
}
title = title.rest
