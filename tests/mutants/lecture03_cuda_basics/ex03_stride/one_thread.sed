# caught by: limits
s/size_t stride = (size_t)gridDim.x \* blockDim.x;/if (blockIdx.x + threadIdx.x > 0)\
        return;/
s/for (size_t i = .*; i < n; i += stride)/for (size_t i = 0; i < n; i++)/
