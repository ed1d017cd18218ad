axis = "relative execution time"
forms = "without~WarpPool with~WarpPool"
load folder."/mechanism_bars.gp"
