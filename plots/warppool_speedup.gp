axis = ""
forms = "8~banks WarpPool 2~coalescers banks,~coalescers MRPB~(reordering)"
array bars_of[3] = [forms, "8~banks:~accesses~per~cycle WarpPool:~loads~per~access", forms]
load folder."/mechanism_bars.gp"
