# caught by: check
0,/^    cluster.sync();/s/^    cluster.sync();/    __syncthreads();/
