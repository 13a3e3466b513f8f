# caught by: nothing
# two pointers: to its own counters and to the neighbour's
s/^    for (int i = blockIdx.x.*$/    int *other = cluster.map_shared_rank(mine, 1 - half);\n&/
s/^        atomicAdd(cluster.*$/        atomicAdd((x[i] \/ (BINS \/ 2) == half ? mine : other) + x[i] % (BINS \/ 2), 1);/
