# A colour per scheduler, thinner for the second; solid lines are fifo, dashed ones sliding.
set style line 1 linecolor rgb "#D55E00" linewidth 1.8 pointtype 5 pointsize 0.30
set style line 2 linecolor rgb "#D55E00" linewidth 1.8 pointtype 4 pointsize 0.30 dashtype (4, 2)
set style line 3 linecolor rgb "#0072B2" linewidth 0.9 pointtype 7 pointsize 0.24
set style line 4 linecolor rgb "#0072B2" linewidth 0.9 pointtype 6 pointsize 0.24 dashtype (8, 4)
load folder."/window_panels.gp"
