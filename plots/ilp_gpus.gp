axis = "IPC relative to GPU-T"
array bars_of[1] = ["GPU-I GPU-H"]
load folder."/mechanism_bars.gp"
