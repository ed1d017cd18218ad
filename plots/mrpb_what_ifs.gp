axis = "IPC relative to the L1 itself"
forms = "fully~associative 1024~times~the~size"
load folder."/mechanism_bars.gp"
