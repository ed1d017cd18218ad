# Four graphs per algorithm, then their geometric mean. All L1 accesses of PageRank's kernel become the unit's.
axis = "with the unit, relative to without"
shared = 0 # traffic and time
array named[2] = ["traffic of the reordered kernel", "execution time"]
array choices[2] = ["L1~accesses L2~accesses network~bytes", "the~reordered~kernel all~kernels~of~the~program"]
load folder."/mechanism_bars.gp"
