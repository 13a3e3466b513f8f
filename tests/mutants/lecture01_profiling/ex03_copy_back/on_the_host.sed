# caught by: limits
s/^    CUDA_CHECK(cudaMemcpy(h_x, d_x, .*$/    for (int i = 0; i < n; i++)\n        h_x[i] = -h_x[i];/
s/^    negate_kernel<<<.*$/    if (0)\n        negate_kernel<<<1, 1>>>(d_x, n);/
