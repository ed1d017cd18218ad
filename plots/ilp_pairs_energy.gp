axis = "energy relative to GPU-T"
array bars_of[2] = ["GPU-I GPU-H", "GPU-I GPU-H"]
load folder."/mechanism_bars.gp"
