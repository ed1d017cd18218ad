axis = "IPC, relative to the baseline"
forms = "coarse2 coarse4"
array named[1] = ["2 lines otherwise"]
array choices[1] = ["at~misses~alone for~every~class"]
load folder."/mechanism_bars.gp"
