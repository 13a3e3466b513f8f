# caught by: limits
s/^    if (i < n)$/    for (; i == 0 ? n > 0 : (int)(blockIdx.x + threadIdx.x) == 0 \&\& i < n; i++)/
