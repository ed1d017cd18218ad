axis = "warp instructions (%)"
mark = 0
forms = "where~the~instruction~reads~the~register,~too at~every~such~write"
load folder."/mechanism_bars.gp"
