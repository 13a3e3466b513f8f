# caught by: limits
s/sum += As\[ty\]\[k\] \* Bs\[k\]\[tx\];/sum += m < M \&\& n < N \&\& k0 + k < K ? A[(size_t)m * K + k0 + k] * B[(size_t)(k0 + k) * N + n] : 0;/
