# The names of the series, for tics: `name_tic(s)`, with the middle cut out of long ones, for kernels of real programs have
# names longer than a page. `longest` is the longest that is left.
array short[series]
longest = ""
do for [s = 1 : series] {
    short[s] = fit(label[s], 2.3)
    longest = strlen(short[s]) > strlen(longest) ? short[s] : longest
}
name_tic(s) = as_format(short[s])
as_format(words) = strstrt(words, "%") ? words[1 : strstrt(words, "%")]."%".as_format(words[strstrt(words, "%") + 1 : *]) : words
