axis = "relative execution time"
array bars_of[1] = ["without WarpPool"]
load folder."/mechanism_bars.gp"
