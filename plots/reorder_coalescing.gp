# Four graphs per algorithm, then their geometric mean.
axis = "requests per instruction"
forms = "without~the~unit published~kernels all~with~index~loads"
mark = 0
load folder."/mechanism_bars.gp"
