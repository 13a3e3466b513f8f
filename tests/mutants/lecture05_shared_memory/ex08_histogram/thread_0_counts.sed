# caught by: limits
s/^    for (size_t i = (size_t)blockIdx.x \* THREADS + threadIdx.x; i < n; i += stride)$/    for (size_t k = (size_t)blockIdx.x * THREADS; k < n \&\& threadIdx.x == 0; k += stride)\n        for (size_t i = k; i < n \&\& i < k + THREADS; i++)/
s/^        atomicAdd(&mine\[x\[i\]\], 1);$/            mine[x[i]]++;/
