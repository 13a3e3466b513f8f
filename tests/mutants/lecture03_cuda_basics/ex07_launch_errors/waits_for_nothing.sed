s/return cudaDeviceSynchronize();/cudaDeviceSynchronize();\
    return cudaSuccess;/
