axis = "performance, relative to 16 KB with shared memory"
forms = "shared~memory without~shared~memory shared~memory,~buffer without,~buffer"
array bars_of[2] = [forms, forms]
load folder."/mechanism_bars.gp"
