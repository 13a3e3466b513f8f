# caught by: limits
s/return cudaDeviceSynchronize();/return cudaSuccess;/
