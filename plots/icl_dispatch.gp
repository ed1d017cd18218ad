# Five bars for each kernel.
legend = "Bars of a kernel, left to right: two_level_rr, global_rr, greedy, distributed, distributed_block. What the cluster read recently:"
load folder."/icl_bars.gp"
