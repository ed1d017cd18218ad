axis = "energy relative to GPU-T"
array named[2] = ["like areas; GPU-T: 40 SMs", "30 SMs each; those with ILP: 8k registers"]
array choices[2] = ["GPU-I~(36~SMs) GPU-H~(38~SMs)", "GPU-I GPU-H"]
load folder."/mechanism_bars.gp"
