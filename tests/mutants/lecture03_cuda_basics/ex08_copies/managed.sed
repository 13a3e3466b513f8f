# caught by: limits
s/cudaMalloc(&d_x, bytes)/cudaMallocManaged(\&d_x, bytes)/
s/error = cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice);/for (int i = 0; i < n; i++)\
        d_x[i] = h_x[i];/
s/^        error = cudaMemcpy(h_y, d_x, bytes, cudaMemcpyDeviceToHost);/        error = cudaDeviceSynchronize();\
    for (int i = 0; i < n; i++)\
        h_y[i] = d_x[i];/
