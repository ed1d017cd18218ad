axis = "IPC relative to the design as published"
array bars_of[6] = ["1 4 8", "1 2 8", "8 16 64", "1~x~8 1~x~128 48~x~2 16~x~16", "oldest lowest~warp", "2 4 4,~with~8~coalescers"]
load folder."/mechanism_bars.gp"
