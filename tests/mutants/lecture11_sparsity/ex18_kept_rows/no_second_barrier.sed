# caught by: check
/^        __syncthreads();$/d
