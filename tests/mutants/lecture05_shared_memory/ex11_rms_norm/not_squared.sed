# the mean of x, not of its squares
s/squares += v\[e\] \* v\[e\];/squares += v[e];/
