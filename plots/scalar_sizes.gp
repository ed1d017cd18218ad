axis = "IPC relative to vector execution"
array named[2] = ["scalar register file", "reuse buffer"]
array choices[2] = ["16~registers 32 64 128 256", "no~entry 2 4 8 16"]
load folder."/mechanism_bars.gp"
