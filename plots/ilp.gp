axis = "IPC relative to one in flight"
forms = "bypass scoreboard both"
load folder."/mechanism_bars.gp"
