axis = ""
array bars_of[2] = ["round~robin two-level", "bound~1/(1~-~RTRU),~weighted~by~time temporal~allocation"]
mark = 0
load folder."/mechanism_bars.gp"
