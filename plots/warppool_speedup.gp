axis = ""
forms = "8~banks WarpPool 2~coalescers banks,~coalescers MRPB~(reordering)"
array bars_of[3] = [forms, "accesses~per~cycle loads~per~access", forms]
load folder."/mechanism_bars.gp"
