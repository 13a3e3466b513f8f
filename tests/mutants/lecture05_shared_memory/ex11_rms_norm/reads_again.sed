# caught by: limits
s/y\[c\] = v\[e\] \* scale/y[c] = x[c] * scale/
