axis = ""
mark = 0
forms = "all"
load folder."/mechanism_bars.gp"
