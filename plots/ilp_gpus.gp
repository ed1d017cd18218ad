axis = "IPC relative to GPU-T"
array bars_of[2] = ["GPU-I~(36~SMs) GPU-H~(38~SMs)", "GPU-I GPU-H"]
load folder."/mechanism_bars.gp"
