axis = "IPC relative to CTA-level dispatch"
forms = "temporal with~spatial dueling threshold~36"
array bars_of[2] = [forms, forms]
load folder."/mechanism_bars.gp"
