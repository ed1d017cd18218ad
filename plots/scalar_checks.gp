axis = "% of dynamic energy"
array bars_of[1] = ["token~design scalar~register~file"]
mark = 0
load folder."/mechanism_bars.gp"
