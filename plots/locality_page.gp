# The page of the locality figures: panels in rows of at most three, one colour scale below. Colours are cividis', which
# colour-blind readers and grey prints keep in order. Loaded by figures that draw one panel in a macro `draw`.
rows    = int(ceil(panels / 3.0))
columns = int(ceil(real(panels) / rows))
width   = 7.0
left    = 0.55
load folder."/title.gp"
load folder."/empty.gp"
top     = title_h + 0.02
bottom  = 0.78
panel_w = (width - left - 0.1) / columns
if (panel_w > 3.2) panel_w = 3.2
height  = top + rows * panel_h + bottom

eval set_page(width, height)
across(inches) = inches / width
up(inches) = inches / height
set palette defined (0 "#00224E", 0.25 "#3B496C", 0.5 "#7D7C78", 0.75 "#BCAF6F", 1 "#FEE838")
set cbrange [0:1]
unset key
unset colorbox
set border linewidth 0.5
set tics scale 0.3 font ",6"
