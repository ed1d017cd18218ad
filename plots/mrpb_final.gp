axis = "IPC relative to no buffer"
forms = "bypassing~alone reordering~alone both"
array bars_of[4] = [forms, forms, forms, forms]
load folder."/mechanism_bars.gp"
