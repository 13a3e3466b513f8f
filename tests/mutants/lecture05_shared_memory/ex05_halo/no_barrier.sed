# caught by: check
s|^    __syncthreads();$||
