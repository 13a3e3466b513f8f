# caught by: limits
s/size_t i = (size_t)blockIdx.x \* blockDim.x + threadIdx.x;/size_t i = (size_t)blockIdx.x * blockDim.x, end = i + blockDim.x < n ? i + blockDim.x : n;\
    if (threadIdx.x > 0)\
        return;\
    for (; i + 1 < end; i++)\
        y[i] = 2 * x[i] + 1;/
