axis = "IPC relative to distributed dispatch"
forms = "6~clusters~x~10~SMs 10~x~6 12~x~5 15~x~4"
load folder."/mechanism_bars.gp"
