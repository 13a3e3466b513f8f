s/i < n)/i < n - 1)/
