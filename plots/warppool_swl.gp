axis = "IPC relative to GTO"
forms = "best~limit WarpPool WarpPool,~best~limit"
load folder."/mechanism_bars.gp"
