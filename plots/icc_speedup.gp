axis = "relative to distributed dispatch"
forms = "block ICC block~+~ICC ICC~+~CC block~+~ICC~+~CC"
array bars_of[2] = [forms, forms]
load folder."/mechanism_bars.gp"
