axis = "IPC relative to CTA-level dispatch"
array named[2] = ["by registers of an SM", "by SIMD width"]
array choices[2] = ["4096 8192 16384", "8~lanes 16~lanes 32~lanes"]
load folder."/mechanism_bars.gp"
