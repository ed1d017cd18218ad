# The names of the series, for tics: `name_tic(s)`, shortened, for kernels of real programs have names longer than a page.
# Loaded with the page's `width` and its margins `left` and `right`, and `slots`, how many names it has room for. They
# stand side by side, aslant, or upright where the page would cut them, and take `names_h` of the page's height.
array short[series]
longest = ""
do for [s = 1 : series] {
    short[s] = fit(label[s], 2.3)
    longest = text(short[s]) > text(longest) ? short[s] : longest
}
name_tic(s) = as_format(short[s])
as_format(words) = strstrt(words, "%") ? words[1 : strstrt(words, "%")]."%".as_format(words[strstrt(words, "%") + 1 : *]) : words

plot_w = width - left - right
place(s) = left + plot_w * (0.5 + (s - (series + 1) / 2.0) / (slots + 0.2)) # on the page
slant = 45
do for [s = 1 : series] { slant = 0.71 * text(short[s]) > place(s) ? 90 : slant }
slant = text(longest) < plot_w / slots - 0.06 ? 0 : slant
names_h = slant == 0 ? 0.26 : 0.16 + text(longest) * (slant == 45 ? 0.71 : 1)
names = slant == 0 ? "norotate center" : sprintf("rotate by %d right", slant)
