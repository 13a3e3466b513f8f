s/if (i < n)/if (i < (int)(gridDim.x * blockDim.x))/
