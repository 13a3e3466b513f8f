s/cudaError_t error = cudaGetLastError();/cudaError_t error = threads > 1024 ? cudaErrorInvalidConfiguration : cudaSuccess;/
