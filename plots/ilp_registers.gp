axis = "relative IPC"
array bars_of[2] = ["4k 6k 8k 12k 16k 32k", "4k 4k~+~ILP 8k 8k~+~ILP 16k 16k~+~ILP"]
load folder."/mechanism_bars.gp"
