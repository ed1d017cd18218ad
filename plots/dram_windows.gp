# A curve for each kernel.
load folder."/curves.gp"
