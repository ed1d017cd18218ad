axis = "IPC relative to 1x"
forms = "0.25x~(12) 0.5x~(6) 1x~(3) 1.5x~(2) 3x~(1)"
load folder."/mechanism_bars.gp"
