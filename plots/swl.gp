axis = "IPC relative to LRR"
forms = "all~warps best~limit MRPB MRPB,~best~limit"
array bars_of[2] = [forms, forms]
load folder."/mechanism_bars.gp"
