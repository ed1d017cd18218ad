axis = "predicted rightly"
forms = "static gshare"
mark = 0
load folder."/mechanism_bars.gp"
