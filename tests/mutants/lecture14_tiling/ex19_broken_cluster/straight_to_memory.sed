# caught by: limits
s/^        atomicAdd(cluster.*/        atomicAdd(\&count[x[i]], 1);/
