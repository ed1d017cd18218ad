# For figures with a bar for each kernel: a page as wide as a column of a paper, or as two where the kernels need it, as
# high as their names and the legend below them. Loaded with `left` and `right`, the margins, `slot`, the inches that a
# kernel needs, and of the legend `entries`, their number, and `entry`, the longest. All sizes are in inches.
width  = series * slot > 3.4 - left - right ? 7.0 : 3.4
slots  = series < 5 ? 5.0 : real(series) # few stand in the middle
sample = 1.5
load folder."/page.gp"
load folder."/names.gp"
foot = names_h + legend_h

# ---- what such figures do, with `eval`
begin_page = 'eval set_page(width, height); across(inches) = inches / width; up(inches) = inches / height; \
    set style fill solid 1.0 noborder; set border 3 linewidth 0.6; set grid ytics linecolor rgb "#D8D8D8" linewidth 0.5; \
    set tics nomirror out scale 0.4 font ",7"; set datafile missing "NaN"; \
    set xrange [(series + 1) / 2.0 - slots / 2 - 0.1 : (series + 1) / 2.0 + slots / 2 + 0.1]; unset key; set multiplot; \
    set label 1 title at screen across(0.12), screen 1 - up(0.15) left font ",8.5"; \
    if (pages > 1) { set label 9 sprintf("page %d of %d", page, pages) at screen across(width - right), screen 1 - up(0.15) right font ",7" }; \
    set lmargin at screen across(left); set rmargin at screen across(width - right)'
name_tics = 'set xtics 1, 1, series @names; set for [s = 1 : series] xtics add (name_tic(s) s)'
no_names = 'set xtics 1, 1, series format ""'
begin_legend = 'unset label; unset border; unset tics; unset grid; set yrange [0:1]; \
    set lmargin at screen across(0.1); set rmargin at screen across(width - 0.1); \
    set bmargin at screen 0; set tmargin at screen up(legend_h); \
    set key center center horizontal Left reverse maxrows legend_rows samplen sample font ",7.5"'
