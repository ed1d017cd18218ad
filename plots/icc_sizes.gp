axis = "share of L1 misses (%)"
mark = 0
forms = "no~cache 8~lines 24~lines 96~lines"
load folder."/mechanism_bars.gp"
