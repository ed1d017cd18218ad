# Two lines (solid, dashed) per colour. Colour-blind readers can tell the colours apart. Later lines are thinner, so
# that equal curves show side by side.
set style line 1 linecolor rgb "#000000" linewidth 1.9 pointtype 5 pointsize 0.30
set style line 2 linecolor rgb "#000000" linewidth 1.9 pointtype 4 pointsize 0.30 dashtype (4, 2)
set style line 3 linecolor rgb "#E69F00" linewidth 1.2 pointtype 9 pointsize 0.30
set style line 4 linecolor rgb "#E69F00" linewidth 1.2 pointtype 8 pointsize 0.30 dashtype (6, 3)
set style line 5 linecolor rgb "#0072B2" linewidth 0.8 pointtype 7 pointsize 0.22
set style line 6 linecolor rgb "#0072B2" linewidth 0.8 pointtype 6 pointsize 0.22 dashtype (9, 4.5)
set style line 7 linecolor rgb "#009E73" linewidth 0.5 pointtype 13 pointsize 0.18
set style line 8 linecolor rgb "#009E73" linewidth 0.5 pointtype 12 pointsize 0.18 dashtype (12, 6)
load folder."/window_panels.gp"
