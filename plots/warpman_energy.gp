axis = "energy, relative"
array bars_of[1] = ["temporal with~spatial dueling threshold~36"]
load folder."/mechanism_bars.gp"
