axis = "warp instructions (%)"
mark = 0
array bars_of[1] = ["that~it~reads,~too to~any~of~them"]
load folder."/mechanism_bars.gp"
