axis = "IPC relative to 16k registers"
array bars_of[1] = ["4k 4k~+~ILP 8k 8k~+~ILP 16k 16k~+~ILP"]
load folder."/mechanism_bars.gp"
