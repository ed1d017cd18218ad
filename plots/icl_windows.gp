# Four bars for each kernel, one panel per unit of the window.
legend = "Bars of a kernel, left to right: windows of 500, 1000, 1500 and 2000. What the cluster read recently:"
load folder."/icl_bars.gp"
