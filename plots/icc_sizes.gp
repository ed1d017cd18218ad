axis = "share of L1 misses (%)"
mark = 0
sizes = "no~cache 8~lines 24~lines 96~lines"
array bars_of[2] = [sizes, sizes]
load folder."/mechanism_bars.gp"
