# caught by: limits
s/^#include <stdlib.h>$/&\
#include <omp.h>/
s/^        CUDA_CHECK(cudaEventRecord(start));$/        CUDA_CHECK(cudaDeviceSynchronize());\
        double before = omp_get_wtime();/
s/^        CUDA_CHECK(cudaEventRecord(stop));$/        CUDA_CHECK(cudaDeviceSynchronize());/
s/^        CUDA_CHECK(cudaEventSynchronize(stop));$/        samples[i] = (float)(1e3 * (omp_get_wtime() - before));/
/cudaEventElapsedTime(&samples/d
