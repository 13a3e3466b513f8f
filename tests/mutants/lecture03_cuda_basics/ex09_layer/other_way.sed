# caught by: nothing
s/^    int row = blockIdx.y .*$/    int i = blockIdx.x * blockDim.x + threadIdx.x, row = i \/ units;/
s/^    int col = blockIdx.x .*$/    int col = i % units;/
s/dim3 block(16, 16), grid.*$/int block = 128, grid = (batch * units + 127) \/ 128;/
