axis = "IPC relative to one in flight"
array bars_of[1] = ["2 4 6 8 12 16"]
load folder."/mechanism_bars.gp"
