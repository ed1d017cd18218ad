axis = "IPC relative to the design as published"
array named[6]
array choices[6]
named[1] = "coalescers";                   choices[1] = "1 4 8"
named[2] = "merges per tag";               choices[2] = "1 2 8"
named[3] = "inter-warp queues";            choices[3] = "8 16 64"
named[4] = "instruction queues, entries";  choices[4] = "1~x~8 1~x~128 48~x~2 16~x~16"
named[5] = "selection";                    choices[5] = "oldest lowest~warp"
named[6] = "warps written back per cycle"; choices[6] = "2 4 4,~with~8~coalescers"
load folder."/mechanism_bars.gp"
