s/return cudaDeviceSynchronize();/return cudaSuccess;/
