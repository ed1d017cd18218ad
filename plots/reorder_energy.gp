axis = "relative to no reordering"
array bars_of[2] = ["reordered~kernel whole~program", "dynamic~(events) static~(always~drawn)"]
load folder."/mechanism_bars.gp"
