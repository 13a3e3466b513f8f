# caught by: nothing
s/int row = blockIdx.y \* 8 + threadIdx.y;/int id = threadIdx.y * 32 + threadIdx.x, row = blockIdx.y * 8 + id \/ 32;/
s/int col = blockIdx.x \* 32 + threadIdx.x;/int col = blockIdx.x * 32 + id % 32;/
