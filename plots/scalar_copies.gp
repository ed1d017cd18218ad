axis = "warp instructions (%)"
mark = 0
array bars_of[1] = ["where~the~instruction~reads~the~register,~too at~every~such~write"]
load folder."/mechanism_bars.gp"
