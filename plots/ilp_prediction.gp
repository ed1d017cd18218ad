axis = "IPC relative to no prediction"
forms = "static gshare perfect"
load folder."/mechanism_bars.gp"
