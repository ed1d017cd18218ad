axis = "relative to neither"
array bars_of[1] = ["L1 memory both"]
load folder."/mechanism_bars.gp"
