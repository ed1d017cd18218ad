axis = "relative to neither"
shared = 0 # time and accesses
forms = "LRC ICC both"
array bars_of[2] = [forms, forms]
load folder."/mechanism_bars.gp"
