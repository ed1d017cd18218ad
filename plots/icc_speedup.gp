axis = "relative to distributed dispatch"
shared = 0 # speed and traffic
forms = "block ICC block~+~ICC ICC~+~CC block~+~ICC~+~CC"
array bars_of[2] = [forms, forms]
load folder."/mechanism_bars.gp"
