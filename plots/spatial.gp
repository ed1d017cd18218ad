# A panel per resource of the SM, one below the other; per kernel a bar of what its CTAs are given, with a line between
# CTAs unless these are hardly taller than a line. What is above the bar is never allocated.
left    = 0.6
right   = 0.08
slot    = 0.26
entries = 2
entry   = "limits the CTAs (where none does: their number)"
load folder."/kernels.gp"
name    = 0.24
panel_h = 1.1
height  = title_h + panels * (panel_h + name) + foot
limiting = "#D55E00"
other    = "#56B4E9"

eval begin_page
set label 4 "share of the SM's resource (%)" at screen across(0.12), screen up(foot + (panels * (name + panel_h) - name) / 2) center rotate by 90
set yrange [0:100]
set ytics 25
do for [p = 1 : panels] {
    y = foot + (panels - p) * (name + panel_h)
    set bmargin at screen up(y)
    set tmargin at screen up(y + panel_h)
    set label 5 fit(panel[p], plot_w) at graph 0, graph 1 left offset character 0, character 0.6 font ",7.5"
    eval p == panels ? name_tics : no_names
    plot for [s = 1 : series] $data index block(p, s) using (s):($3 == 1 ? $1 : NaN):(0.62) with boxes linecolor rgb limiting, \
         for [s = 1 : series] $data index block(p, s) using (s):($3 == 1 ? NaN : $1):(0.62) with boxes linecolor rgb other, \
         for [s = 1 : series] for [c = 1 : 64] $data index block(p, s) \
             using (s - 0.31):(c < $2 && $1 / $2 >= 2 ? c * $1 / $2 : NaN):(0.62):(0) with vectors nohead linecolor rgb "#FFFFFF" linewidth 0.7
    unset label
}
eval begin_legend
plot NaN with boxes linecolor rgb limiting title entry, \
     NaN with boxes linecolor rgb other title "room for another CTA"
unset multiplot
