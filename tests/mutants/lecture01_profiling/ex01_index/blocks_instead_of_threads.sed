s/blockIdx.x \* blockDim.x/blockIdx.x * gridDim.x/
