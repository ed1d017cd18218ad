axis = "relative to two-level RR"
array bars_of[1] = ["global~RR greedy distributed distributed~block"]
load folder."/mechanism_bars.gp"
