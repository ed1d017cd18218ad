axis = "protected (%)"
mark = 0
forms = "token~design scalar~register~file"
load folder."/mechanism_bars.gp"
