# caught by: nothing
# the wait and the barrier come before the next load
/^        wgmma_wait<0>();$/d
/^        __syncthreads();$/d
s/^        if (threadIdx.x == 0) {$/        wgmma_wait<0>();\n        __syncthreads();\n&/
