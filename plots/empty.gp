# Why a panel is empty: `eval tell_empty(p, from, to, least, words)` says so where none of the numbers `from` to `to` of
# its rows is known, and `words` where none of them is above `least`, which shows. Rows count as 0, which every panel's
# yrange holds, for stats leaves out what is beyond.
known_in(from, to) = sum [c = from : to] (column(c) == column(c))
above_in(from, to, least) = sum [c = from : to] (column(c) == column(c) && abs(column(c)) > least)
stats_of(p, value, name) = sprintf('stats $data index block(%d, 1) : block(%d, series) using (%s ? 0 : 1 / 0) name "%s" nooutput; ', p, p, value, name)
tell_empty(p, from, to, least, words) = \
    stats_of(p, sprintf("known_in(%d, %d)", from, to), "seen").\
    stats_of(p, sprintf("above_in(%d, %d, %g)", from, to, least), "above").\
    sprintf('why = !exists("seen_max") ? "no data" : !exists("above_max") ? "%s" : ""; ', words).\
    'if (why ne "") { set label 8 why at graph 0.5, graph 0.5 center textcolor rgb "#808080" font ",7" } else { unset label 8 }'
