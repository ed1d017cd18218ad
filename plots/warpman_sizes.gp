axis = "IPC relative to CTA-level dispatch"
array bars_of[2] = ["4096 8192 16384", "8~lanes 16~lanes 32~lanes"]
load folder."/mechanism_bars.gp"
