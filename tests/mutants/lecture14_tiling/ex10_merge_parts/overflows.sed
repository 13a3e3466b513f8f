s/expf(max\[p\] - largest)/expf(max[p])/
