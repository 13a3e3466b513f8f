# caught by: limits
s/i += gridDim.x \* blockDim.x/i += blockDim.x/
