# caught by: nothing
s/cudaError_t error = cudaGetLastError();/cudaError_t error = cudaPeekAtLastError();\
    (void)cudaGetLastError();/
s/return cudaDeviceSynchronize();/return cudaStreamSynchronize(0);/
