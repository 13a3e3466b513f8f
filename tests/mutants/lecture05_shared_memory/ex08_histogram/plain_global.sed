# caught by: limits
s/atomicAdd(&mine\[x\[i\]\], 1);/atomicAdd(\&count[x[i]], 1);/
