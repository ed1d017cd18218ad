# A curve for each capacity.
load folder."/curves.gp"
