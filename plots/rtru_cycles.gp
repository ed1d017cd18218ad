# As rtru, which counts instructions.
load folder . "/rtru.gp"
