# caught by: limits
s/^    CUDA_CHECK(cudaMemcpy(h_x, d_x, .*$/    CUDA_CHECK(cudaDeviceSynchronize());\
    for (int i = 0; i < n; i++)\
        h_x[i] = -h_x[i];/
