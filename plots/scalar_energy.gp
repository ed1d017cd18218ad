axis = "energy relative to vector execution"
forms = "within~warps between~warps both"
load folder."/mechanism_bars.gp"
