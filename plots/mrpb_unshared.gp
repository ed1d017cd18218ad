axis = "performance relative to shared on 16 KB"
forms = "shared unshared shared,~with~buffer unshared,~with~buffer"
array bars_of[2] = [forms, forms]
load folder."/mechanism_bars.gp"
