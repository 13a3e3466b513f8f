# caught by: limits
s/size_t stride = (size_t)gridDim.x \* blockDim.x;/size_t piece = (n + gridDim.x * blockDim.x - 1) \/ (gridDim.x * blockDim.x);/
s/for (size_t i = (size_t)blockIdx.x \* blockDim.x + threadIdx.x; i < n; i += stride)/for (size_t me = (size_t)blockIdx.x * blockDim.x + threadIdx.x, i = me * piece; i < (me + 1) * piece \&\& i < n; i++)/
