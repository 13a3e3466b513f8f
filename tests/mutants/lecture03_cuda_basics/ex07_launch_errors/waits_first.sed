# caught by: nothing
s/cudaError_t error = cudaGetLastError();/cudaError_t run = cudaDeviceSynchronize(), error = cudaGetLastError();/
s/return cudaDeviceSynchronize();/return run;/
