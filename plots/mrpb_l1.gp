axis = "IPC relative to 16 KB, 4-way"
array bars_of[1] = ["buffer 64-way,~1~cycle 20~KB,~5-way"]
load folder."/mechanism_bars.gp"
