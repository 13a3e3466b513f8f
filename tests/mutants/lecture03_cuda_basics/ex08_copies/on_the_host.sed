# caught by: limits
/^    float \*d_x;$/,/^    return error != cudaSuccess ? error : freed;$/c\
    (void)triple_kernel;\
    for (int i = 0; i < n; i++)\
        h_y[i] = 3 * h_x[i];\
    return cudaSuccess;
