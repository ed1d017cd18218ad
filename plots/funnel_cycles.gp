# As request_funnel, with the stages behind the L1.
load folder . "/request_funnel.gp"
