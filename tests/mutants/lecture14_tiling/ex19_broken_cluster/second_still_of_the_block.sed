# caught by: check
/map_shared_rank/,$s/^    cluster.sync();/    __syncthreads();/
