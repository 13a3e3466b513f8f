s/int i = blockIdx.x \* blockDim.x + threadIdx.x;/int i = threadIdx.x;/
