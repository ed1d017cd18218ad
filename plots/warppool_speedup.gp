axis = ""
forms = "MRPB~(reordering) WarpPool"
array bars_of[3] = [forms, forms, forms]
load folder."/mechanism_bars.gp"
