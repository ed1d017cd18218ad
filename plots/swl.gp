axis = "IPC relative to LRR"
forms = "all~warps best~limit~of~warps buffer,~all~warps buffer,~best~limit"
array bars_of[4] = [forms, forms, forms, forms]
load folder."/mechanism_bars.gp"
