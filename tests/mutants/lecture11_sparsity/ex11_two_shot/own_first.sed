s/float sum = v.in\[0\]\[i\]/float sum = v.in[v.rank][i]/
s/sum += v.in\[r\]\[i\]/sum += v.in[(v.rank + r) % v.ranks][i]/
