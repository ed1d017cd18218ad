# As icl_windows, which counts steps.
load folder . "/icl_windows.gp"
