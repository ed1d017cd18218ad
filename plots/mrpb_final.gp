axis = "IPC relative to no buffer"
forms = "bypassing~alone reordering~alone both"
load folder."/mechanism_bars.gp"
