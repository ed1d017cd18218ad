axis = "IPC relative to the design as published"
array bars_of[5] = ["1 4 8", "1 2 8", "8 16 64", "1 48", "oldest warp_id"]
load folder."/mechanism_bars.gp"
