s/cudaError_t error = cudaGetLastError();/cudaError_t error = cudaSuccess;/
