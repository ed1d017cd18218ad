axis = "warp instructions (%)"
mark = 0
array bars_of[1] = ["where~the~write~reads~it,~too before~any~such~write"]
load folder."/mechanism_bars.gp"
