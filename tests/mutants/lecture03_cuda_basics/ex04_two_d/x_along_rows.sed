# caught by: limits
s/int row = blockIdx.y \* blockDim.y + threadIdx.y;/int row = blockIdx.x * blockDim.x + threadIdx.x;/
s/int col = blockIdx.x \* blockDim.x + threadIdx.x;/int col = blockIdx.y * blockDim.y + threadIdx.y;/
s/dim3 grid((cols + 15) \/ 16, (rows + 15) \/ 16);/dim3 grid((rows + 15) \/ 16, (cols + 15) \/ 16);/
