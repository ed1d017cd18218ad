axis = "weighted speedup, halved (XI 4.5)"
mark = 0
array bars_of[2] = ["GPU-T GPU-I GPU-H", "GPU-T GPU-I GPU-H"]
load folder."/mechanism_bars.gp"
