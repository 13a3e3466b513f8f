# caught by: nothing
s/expf(x\[c\] - p.max) \/ p.sum/expf(x[c] - p.max - logf(p.sum))/
