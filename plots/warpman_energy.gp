axis = "energy relative to CTA-level dispatch"
array bars_of[1] = ["temporal with~spatial dueling threshold~36"]
load folder."/mechanism_bars.gp"
