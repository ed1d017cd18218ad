axis = "IPC relative to distributed dispatch"
shapes = "6~clusters~x~10~SMs 10~x~6 12~x~5 15~x~4"
array bars_of[2] = [shapes, shapes]
load folder."/mechanism_bars.gp"
