# caught by: nothing
s/^        CUDA_CHECK(cudaEventSynchronize(stop));$/        CUDA_CHECK(cudaDeviceSynchronize());/
