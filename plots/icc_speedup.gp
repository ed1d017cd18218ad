axis = "relative to distributed dispatch"
shared = 0 # time and traffic
forms = "block ICC block~+~ICC ICC~+~cache block~+~ICC~+~cache"
load folder."/mechanism_bars.gp"
