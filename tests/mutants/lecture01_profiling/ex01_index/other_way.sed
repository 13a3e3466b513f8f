# caught by: nothing
s/int i = blockIdx.x \* blockDim.x + threadIdx.x;/const unsigned i = threadIdx.x + THREADS * blockIdx.x;/
