# caught by: check
s|^    __syncthreads();$|    __syncwarp();|
