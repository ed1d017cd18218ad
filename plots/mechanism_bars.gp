# Groups of bars, a group per kernel, a panel below the other. Loaded by figures that give `axis` (the y axis' name) and
# in `forms` the names of a panel's bars, with blanks between them and ~ for blanks within, or, where panels differ, in
# `choices[i]` those of the panel `named[i]`: by name, as a database may lack panels. Rows: bar (from 1), value. A line
# marks 1, unless `mark` is 0. Panels have one scale, unless `shared` is 0 or the axis has no name. The names stand beside
# the panel's, as far apart as they leave room.
width   = 7.0
left    = 0.6
right   = 0.08
load folder."/title.gp"
load folder."/empty.gp"
top     = title_h
name    = 0.34
panel_h = panels > 3 ? 1.05 : 1.5
slots   = series
load folder."/names.gp"
height  = top + panels * (panel_h + name) + names_h
eval set_page(width, height)
across(inches) = inches / width
up(inches) = inches / height
array colour[6] = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00"]
set style fill solid 1.0 noborder
set border 3 linewidth 0.6
set grid ytics linecolor rgb "#D8D8D8" linewidth 0.5
set tics nomirror out scale 0.4 font ",7"
set datafile missing "NaN"
set xrange [0.4:series + 0.6]
array bars_of[panels]
do for [p = 1 : panels] {
    bars_of[p] = exists("forms") ? forms : ""
    if (exists("named")) { do for [i = 1 : |named|] { if (panel[p] eq named[i]) { bars_of[p] = choices[i] } } }
}
if (!exists("mark")) mark = 1
if (!exists("shared")) shared = axis ne ""
unset key
stats $data using 2 name "all" nooutput
above = 1.04 # of the highest bar: where the scale ends
top = shared && exists("all_max") ? above * all_max : 0
plain(text) = system("echo '".text."' | tr '~' ' '")
begin = 0.22 * plot_w # of the names of bars, at least
do for [p = 1 : panels] { begin = 0.057 * strlen(panel[p]) + 0.2 > begin ? 0.057 * strlen(panel[p]) + 0.2 : begin }
x(s, b) = s + 0.8 * (b - (bars + 1) / 2.0) / bars
entry_w(text) = 0.11 + 0.0475 * strlen(text) # with the square before it

set multiplot
set label 1 title at screen across(0.12), screen 1 - up(0.13) left font ",8.5"
if (pages > 1) set label 2 sprintf("page %d of %d", page, pages) at screen across(width - right), screen 1 - up(0.13) right font ",7"
set label 4 axis at screen across(0.12), screen up(names_h + (panels * (name + panel_h) - name) / 2) center rotate by 90
do for [p = 1 : panels] {
    y = names_h + (panels - p) * (name + panel_h)
    set lmargin at screen across(left)
    set rmargin at screen across(width - right)
    set bmargin at screen up(y)
    set tmargin at screen up(y + panel_h)
    bars = words(bars_of[p])
    set label 5 panel[p] at graph 0, graph 1 left offset character 0, character 0.7 font ",7.5"
    entries_w = 0
    do for [b = 1 : bars] { entries_w = entries_w + entry_w(word(bars_of[p], b)) }
    apart = (plot_w - begin - entries_w) / (bars > 3 ? bars : 3)
    next_x = begin
    do for [b = 1 : bars] {
        at_x = next_x / plot_w
        next_x = next_x + entry_w(word(bars_of[p], b)) + apart
        set object b rectangle from graph at_x, graph 1 + 0.09 / panel_h to graph at_x + 0.012, graph 1 + 0.17 / panel_h noclip fillcolor rgb colour[b] fillstyle solid noborder
        set label 10 + b plain(word(bars_of[p], b)) at graph at_x + 0.017, graph 1 + 0.13 / panel_h left font ",6.5"
    }
    set xtics 1, 1, series @names
    set for [s = 1 : series] xtics add ((p == panels ? name_tic(s) : "") s)
    if (mark) { set arrow 1 from graph 0, first 1 to graph 1, first 1 nohead linewidth 0.6 linecolor rgb "#000000" front }
    set yrange [*:*] # or stats leaves out what the last panel had no room for
    stats $data index first_block(p) : last_block(p) using 2 name "y" nooutput
    end = top > 0 ? top : exists("y_max") ? above * y_max : 0
    set yrange [0 : mark && end < above ? above : end > 0 ? end : 1] # 1 for a panel without values
    eval tell_empty(p, 2, 2, 0, "")
    plot for [s = 1 : series] for [b = 1 : bars] $data index block(p, s) using (x(s, b)):($1 == b ? $2 : NaN):(0.74 / bars) with boxes linecolor rgb colour[b], \
         for [s = 1 : series] for [b = 1 : bars] $data index block(p, s) using (x(s, b)):($1 == b && $2 == 0 ? 0 : NaN):("0") with labels font ",6" offset 0, 0.4 textcolor rgb "#606060"
    do for [i = 1 : 16] { unset label i }
    do for [i = 1 : 6] { unset object i }
}
unset multiplot
