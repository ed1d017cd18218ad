axis = "weighted speedup, halved (XI 4.5)"
mark = 0
forms = "GPU-T GPU-I GPU-H"
load folder."/mechanism_bars.gp"
