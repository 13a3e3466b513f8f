# caught by: nothing
s|^    __syncthreads();$|    float mine = i < n ? tile[t] : 0;\n&\n    if (i >= n)\n        return;|
s|^        y\[i\] = .*|        y[i] = t == 0 ? mine : mine - tile[t - 1];|
