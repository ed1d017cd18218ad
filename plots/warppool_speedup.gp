axis = ""
forms = "8~banks WarpPool 2~coalescers banks,~coalescers MRPB~(reordering)"
array named[1] = ["L1 throughput"]
array choices[1] = ["8~banks:~accesses~per~cycle WarpPool:~loads~per~access"]
load folder."/mechanism_bars.gp"
