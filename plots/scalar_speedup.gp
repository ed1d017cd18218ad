axis = "IPC relative to vector execution"
forms = "within~warps between~warps both"
array bars_of[4] = [forms, forms, forms, forms]
load folder."/mechanism_bars.gp"
