axis = "IPC relative to GTO"
array bars_of[1] = ["best~limit WarpPool WarpPool,~best~limit"]
load folder."/mechanism_bars.gp"
