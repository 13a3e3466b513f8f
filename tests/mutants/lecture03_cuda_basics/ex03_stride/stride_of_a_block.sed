s/size_t stride = (size_t)gridDim.x \* blockDim.x;/size_t stride = blockDim.x;/
