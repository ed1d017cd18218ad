axis = "IPC, relative to the baseline"
array bars_of[3] = ["coarse2 coarse4", "coarse2 coarse4", "at~misses~alone for~every~class"]
load folder."/mechanism_bars.gp"
