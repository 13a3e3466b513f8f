# caught by: limits
s/int i = blockIdx.x \* blockDim.x + threadIdx.x;/int i = blockIdx.x * blockDim.x;\
    if (threadIdx.x > 0)\
        return;\
    for (int k = 1; k < (int)blockDim.x; k++, i++)\
        x[i] = 10 * i;/
