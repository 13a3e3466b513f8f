s/^    cudaError_t freed = cudaFree(d_x);/    if (error != cudaSuccess)\n        return error;\n&/
