axis = "IPC relative to LRR"
forms = "all~warps best~limit MRPB MRPB,~best~limit"
array bars_of[4] = [forms, forms, forms, forms]
load folder."/mechanism_bars.gp"
