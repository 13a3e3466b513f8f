# caught by: nothing
s/size_t stride = (size_t)gridDim.x \* blockDim.x;/size_t me = threadIdx.x + (size_t)blockIdx.x * blockDim.x, threads = (size_t)blockDim.x * gridDim.x;/
s/for (size_t i = .*; i < n; i += stride)/for (size_t round = 0, i; (i = round * threads + me) < n; round++)/
