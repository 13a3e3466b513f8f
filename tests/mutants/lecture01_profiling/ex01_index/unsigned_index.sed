# caught by: nothing
s/^    int i = blockIdx.x \* blockDim.x + threadIdx.x;$/    const unsigned first = blockDim.x * blockIdx.x;\n    const int i = (int)(first + threadIdx.x);/
