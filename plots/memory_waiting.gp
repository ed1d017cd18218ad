axis = ""
mark = 0
array bars_of[3] = ["all", "all", "all"]
load folder."/mechanism_bars.gp"
