s/int i = blockIdx.x \* blockDim.x + threadIdx.x;/int i = blockIdx.x * blockDim.x + threadIdx.x + 1;/
