axis = "relative to neither"
shared = 0 # time and accesses
forms = "LRC ICC both"
load folder."/mechanism_bars.gp"
