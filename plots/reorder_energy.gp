axis = "relative to no reordering"
array named[2] = ["energy", "the reordered kernel by kind"]
array choices[2] = ["reordered~kernel whole~program", "dynamic~(events) static~(always~drawn)"]
load folder."/mechanism_bars.gp"
