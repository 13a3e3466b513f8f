# caught by: check
/across\[row\]\[tx\] = sum;/,/__syncthreads();/ s/^    __syncthreads();$//
