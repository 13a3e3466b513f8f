# caught by: nothing
# the same 4 x 8 tiles per warp, numbered down the columns
s/threadIdx.x \/ 8) \* 4;/threadIdx.x \/ 32 * 4 + threadIdx.x % 4) * 4;/
s/threadIdx.x % 8) \* 4;/threadIdx.x \/ 4 % 8) * 4;/
