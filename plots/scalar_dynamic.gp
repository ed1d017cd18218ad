axis = "relative to vector execution"
array bars_of[2] = ["token~design scalar~register~file", "token~design scalar~register~file"]
load folder."/mechanism_bars.gp"
