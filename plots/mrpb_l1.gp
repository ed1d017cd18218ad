axis = "IPC relative to 16 KB, 4-way"
forms = "prioritization~buffer 64~ways,~hits~in~1~cycle 20~KB,~5~ways"
load folder."/mechanism_bars.gp"
