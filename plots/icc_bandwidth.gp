axis = "IPC relative to 1x"
array bars_of[1] = ["0.25x 0.5x 1x 2x"]
load folder."/mechanism_bars.gp"
