# caught by: check
s|atomicAdd(&mine\[x\[i\]\], 1);|mine[x[i]] += 1;|
