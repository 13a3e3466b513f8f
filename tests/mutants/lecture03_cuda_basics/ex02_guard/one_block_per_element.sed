# caught by: limits
s/int blocks = (n + threads - 1) \/ threads;/int blocks = n;/
