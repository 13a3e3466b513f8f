# caught by: limits
s/sum += As\[ty\]\[k\] \* Bs\[k\]\[tx\];/sum += As[ty][k] * (n < N \&\& k0 + k < K ? B[(size_t)(k0 + k) * N + n] : 0);/
