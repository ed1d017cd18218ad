axis = "predicted rightly"
array bars_of[1] = ["static gshare"]
mark = 0
load folder."/mechanism_bars.gp"
