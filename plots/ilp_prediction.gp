axis = "IPC relative to no prediction"
array bars_of[2] = ["static gshare perfect", "static gshare perfect"]
load folder."/mechanism_bars.gp"
