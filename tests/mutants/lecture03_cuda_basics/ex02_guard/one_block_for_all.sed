# caught by: limits
s/int blocks = (n + threads - 1) \/ threads;/int blocks = 1;/
s/^    if (i < n)$/    for (; i < n; i += blockDim.x)/
