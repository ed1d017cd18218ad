axis = "% of dynamic energy"
forms = "token~design scalar~register~file"
mark = 0
load folder."/mechanism_bars.gp"
