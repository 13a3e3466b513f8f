# caught by: limits
s/^    CUDA_CHECK(cudaMemcpy(h_x, d_x, .*$/    for (int i = 0; i < n; i++)\
        CUDA_CHECK(cudaMemcpy(h_x + i, d_x + i, sizeof(float), cudaMemcpyDeviceToHost));/
