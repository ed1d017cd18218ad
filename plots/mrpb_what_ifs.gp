axis = "IPC relative to the L1 itself"
forms = "fully~associative 1024~times~the~size"
array bars_of[2] = [forms, forms]
load folder."/mechanism_bars.gp"
