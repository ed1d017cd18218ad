axis = ""
mark = 0
array bars_of[3] = ["lines", "memory~instructions", "%~of~the~time~with~warps"]
load folder."/mechanism_bars.gp"
