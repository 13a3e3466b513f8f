# caught by: limits
s/size_t i = (size_t)blockIdx.x \* blockDim.x + threadIdx.x;/size_t i = (size_t)threadIdx.x * gridDim.x + blockIdx.x;/
