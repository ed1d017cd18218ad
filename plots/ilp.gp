axis = "IPC relative to one in flight"
array bars_of[2] = ["bypass scoreboard both", "bypass scoreboard both"]
load folder."/mechanism_bars.gp"
