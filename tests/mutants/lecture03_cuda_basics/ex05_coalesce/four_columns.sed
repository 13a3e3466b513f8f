# caught by: limits
s/int row = blockIdx.y \* 8 + threadIdx.y;/int row = blockIdx.y * 8 + threadIdx.x \/ 4;/
s/int col = blockIdx.x \* 32 + threadIdx.x;/int col = blockIdx.x * 32 + threadIdx.y * 4 + threadIdx.x % 4;/
s/(float)threadIdx.x;/(float)(col % 32);/
