# caught by: nothing
s/^    CUDA_CHECK(cudaMemcpy(d_x, h_x, .*$/    CUDA_CHECK(cudaMemcpyAsync(d_x, h_x, n * sizeof *h_x, cudaMemcpyDefault, 0));/
