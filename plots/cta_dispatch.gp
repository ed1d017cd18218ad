axis = "relative to two-level RR"
forms = "global~RR greedy distributed distributed~block"
load folder."/mechanism_bars.gp"
