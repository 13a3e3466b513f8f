# caught by: check
s/cudaError_t freed = cudaFree(d_x);/cudaError_t freed = cudaSuccess;/
