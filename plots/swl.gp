axis = "IPC relative to LRR"
forms = "all~warps best~limit~of~warps buffer,~all~warps buffer,~best~limit"
load folder."/mechanism_bars.gp"
