# caught by: nothing
s|^    __syncthreads();$|    float mine = i < n ? tile[t] : 0, before = __shfl_up_sync(0xffffffffu, mine, 1);\n&\n    if (t % 32 == 0 \&\& t > 0)\n        before = tile[t - 1];|
s|^        y\[i\] = .*|        y[i] = t > 0 ? mine - before : mine;|
