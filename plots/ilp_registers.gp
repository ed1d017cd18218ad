axis = "relative IPC"
array named[2] = ["with ILP, relative to as many registers without", "relative to 16k registers without ILP"]
array choices[2] = ["4k 6k 8k 12k 16k 32k", "4k 4k~+~ILP 8k 8k~+~ILP 16k 16k~+~ILP"]
load folder."/mechanism_bars.gp"
