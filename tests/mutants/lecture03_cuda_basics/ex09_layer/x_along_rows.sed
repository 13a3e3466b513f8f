# caught by: limits
s/int row = blockIdx.y \* blockDim.y + threadIdx.y;/int row = blockIdx.x * blockDim.x + threadIdx.x;/
s/int col = blockIdx.x \* blockDim.x + threadIdx.x;/int col = blockIdx.y * blockDim.y + threadIdx.y;/
s/grid((units + 15) \/ 16, (batch + 15) \/ 16);/grid((batch + 15) \/ 16, (units + 15) \/ 16);/
