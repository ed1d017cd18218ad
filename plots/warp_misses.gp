time = "cycles"
misses = 1
load folder."/rtru_gantt.gp"
