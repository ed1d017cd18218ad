axis = "relative to neither"
forms = "L1 memory both"
load folder."/mechanism_bars.gp"
