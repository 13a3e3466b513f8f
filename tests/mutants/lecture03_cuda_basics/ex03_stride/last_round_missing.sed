s/; i < n; i += stride)/; i + stride < n; i += stride)/
