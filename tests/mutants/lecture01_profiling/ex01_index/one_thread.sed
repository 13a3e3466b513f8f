# caught by: limits
s/int i = blockIdx.x \* blockDim.x + threadIdx.x;/int i = 0;\
    if (blockIdx.x + threadIdx.x > 0)\
        return;\
    for (; i < (int)(gridDim.x * blockDim.x) - 1; i++)\
        x[i] = 10 * i;/
