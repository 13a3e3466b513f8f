s/^    if (error == cudaSuccess)$/    if (1)/
