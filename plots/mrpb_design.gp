axis = "IPC relative to no buffer"
shared = 0 # the choices of a panel are compared
array bars_of[6]
bars_of[1] = "block~ID warp~ID~within~the~block warp~ID"
bars_of[2] = "fixed~order round~robin longest greedy~fixed greedy~robin greedy~longest"
bars_of[3] = "4 8 16 32 unlimited"
bars_of[4] = "4 8 16 32"
bars_of[5] = "3 4 6 10 18"
bars_of[6] = "at~any~stall only~where~the~set~is~full"
load folder."/mechanism_bars.gp"
