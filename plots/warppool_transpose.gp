axis = "relative execution time"
array bars_of[1] = ["without~WarpPool with~WarpPool"]
load folder."/mechanism_bars.gp"
