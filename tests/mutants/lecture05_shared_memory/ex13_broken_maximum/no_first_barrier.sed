# caught by: check
0,/^    __syncthreads();$/{/^    __syncthreads();$/d
}
