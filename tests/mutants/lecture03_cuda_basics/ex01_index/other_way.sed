# caught by: nothing
s/size_t i = (size_t)blockIdx.x \* blockDim.x + threadIdx.x;/size_t i = threadIdx.x, first = (size_t)blockDim.x * blockIdx.x;\
    i += first;/
