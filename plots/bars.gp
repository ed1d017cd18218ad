# Any query with a name and numbers: bars side by side, a group for each row and a colour for each number. One number is
# named at the y axis, several in the legend; what they have in common, at the y axis. Panels stand one below the other.
# A bar of 0 has that digit, for one that is not known has nothing.
array colour[8] = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999"]
bars    = |column_name|
shade(b) = b <= 8 ? 1.0 : b <= 16 ? 0.5 : 0.2 # further rounds of colours are paler
left    = 0.62
right   = 0.08
slot    = bars == 1 ? 0.26 : 0.12 + 0.11 * bars
entries = bars == 1 ? 0 : bars
entry   = ""
do for [b = 1 : bars] { entry = strlen(column_name[b]) > strlen(entry) ? column_name[b] : entry }
load folder."/kernels.gp"
load folder."/empty.gp"
name    = panels == 1 ? 0 : 0.24
panel_h = panels == 1 ? 1.9 : panels == 2 ? 1.5 : 1.1
height  = title_h + panels * (panel_h + name) + foot
x(s, b) = s + 0.8 * (b - (bars + 1) / 2.0) / bars

eval begin_page
beside = bars == 1 ? column_name[1] : axis_name
if (beside ne "") { set label 4 fit(beside, panels * (name + panel_h)) at screen across(0.12), screen up(foot + (panels * (name + panel_h) - name) / 2) center rotate by 90 }
low = 0
high = 0
do for [b = 1 : bars] {
    stats $data using (column(b) == column(b) ? column(b) : 1 / 0) name "size" nooutput
    low = exists("size_min") && size_min < low ? size_min : low
    high = exists("size_max") && size_max > high ? size_max : high
}
set yrange [* < 0 : 0 < *]
if (high > low) { eval numbered("y", low, high) }
if (high > low && sliced) { # one scale for all pages
    by = step(high - low)
    set yrange [by * floor(low / by) : by * ceil(high / by)]
}
set xzeroaxis linetype 1 linecolor rgb "#000000" linewidth 0.6
do for [p = 1 : panels] {
    y = foot + (panels - p) * (name + panel_h)
    set bmargin at screen up(y)
    set tmargin at screen up(y + panel_h)
    set label 5 fit(panel[p], plot_w) at graph 0, graph 1 left offset character 0, character 0.6 font ",7.5"
    eval tell_empty(p, 1, bars, 0, "")
    eval p == panels ? name_tics : no_names
    if (why eq "no data") { # gnuplot finds no scale for it
        plot [] [low : high > low ? high : 1] NaN
    } else {
        plot for [s = 1 : series] for [b = 1 : bars] $data index block(p, s) using (x(s, b)):b:(0.76 / bars) with boxes linecolor rgb colour[(b - 1) % 8 + 1] fillstyle solid shade(b), \
             for [s = 1 : series] for [b = 1 : bars] $data index block(p, s) using (x(s, b)):(column(b) == 0 ? 0 : NaN):("0") with labels font ",6" offset 0, 0.4 textcolor rgb "#606060"
    }
    unset label
}
if (bars > 1) {
    eval begin_legend
    unset xzeroaxis
    plot for [b = 1 : bars] NaN with boxes linecolor rgb colour[(b - 1) % 8 + 1] fillstyle solid shade(b) title fit(column_name[b], legend_w)
}
unset multiplot
