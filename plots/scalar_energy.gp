axis = "energy relative to vector execution"
forms = "within~warps between~warps both"
array bars_of[2] = [forms, forms]
load folder."/mechanism_bars.gp"
