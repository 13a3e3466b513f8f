s/cudaError_t error = cudaGetLastError();/cudaGetLastError();\
    cudaError_t error = threads > 1024 ? cudaErrorInvalidValue : cudaSuccess;/
