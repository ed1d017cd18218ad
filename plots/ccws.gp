axis = "IPC relative to LRR"
forms = "all~warps best~limit CCWS K~of~1 256~tags K~of~1,~256~tags"
load folder."/mechanism_bars.gp"
