axis = "IPC relative to one in flight"
forms = "2 4 6 8 12 16"
load folder."/mechanism_bars.gp"
