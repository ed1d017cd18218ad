axis = "energy relative to GPU-T"
forms = "GPU-I GPU-H"
load folder."/mechanism_bars.gp"
