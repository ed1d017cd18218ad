axis = "performance, relative to 16 KB with shared memory"
forms = "shared~memory without~shared~memory shared~memory,~buffer without,~buffer"
load folder."/mechanism_bars.gp"
