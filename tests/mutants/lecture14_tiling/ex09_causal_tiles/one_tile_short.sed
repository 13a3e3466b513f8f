s/int tiles = blockIdx.x + 1;/int tiles = blockIdx.x > 0 ? blockIdx.x : 1;/
