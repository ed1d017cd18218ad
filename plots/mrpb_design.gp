axis = "IPC relative to no buffer"
shared = 0 # the choices of a panel are compared
array named[6]
array choices[6]
named[1] = "queue of an access (signature)";  choices[1] = "block~ID warp~ID~within~the~block warp~ID"
named[2] = "next queue (greedy: till empty)"
choices[2] = "fixed~order round~robin longest greedy~fixed greedy~robin greedy~longest"
named[3] = "entries of a queue, no flush";    choices[3] = "4 8 16 32 unlimited"
named[4] = "entries of a queue, with flush";  choices[4] = "4 8 16 32"
named[5] = "latency in cycles";               choices[5] = "3 4 6 10 18"
named[6] = "bypassing alone";                 choices[6] = "at~any~stall only~where~the~set~is~full"
load folder."/mechanism_bars.gp"
