axis = ""
array named[2] = ["RTRU, geomean of CTAs above 0 (%)", "speedup under round robin"]
array choices[2] = ["round~robin two-level", "bound~1/(1~-~RTRU),~weighted~by~time temporal~allocation"]
mark = 0
load folder."/mechanism_bars.gp"
