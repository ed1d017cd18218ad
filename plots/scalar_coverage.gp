axis = "protected (%)"
mark = 0
designs = "token~design scalar~register~file"
array bars_of[2] = [designs, designs]
load folder."/mechanism_bars.gp"
