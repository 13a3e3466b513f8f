# caught by: limits
/^    __syncthreads();$/d
s/^    if (first + t >= 0)$/    (void)first;\n    if (i < n)/
s/^        y\[first + t\] = tile\[THREADS - 1 - t\];$/        y[n - 1 - i] = tile[t];/
s/^        tile\[t\] = x\[i\];$/        tile[t] = 0;/
s/y\[n - 1 - i\] = tile\[t\];/y[n - 1 - i] = x[i];/
