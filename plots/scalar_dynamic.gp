axis = "relative to vector execution"
forms = "token~design scalar~register~file"
load folder."/mechanism_bars.gp"
