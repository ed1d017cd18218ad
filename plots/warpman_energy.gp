axis = "energy relative to CTA-level dispatch"
forms = "temporal with~spatial dueling threshold~36"
load folder."/mechanism_bars.gp"
