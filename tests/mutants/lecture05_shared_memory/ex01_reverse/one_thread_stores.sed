# caught by: limits
s/^    if (first + t >= 0)$/    for (int k = 0; k < THREADS \&\& t == 0; k++)\n        if (first + k >= 0)/
s/^        y\[first + t\] = tile\[THREADS - 1 - t\];$/            y[first + k] = tile[THREADS - 1 - k];/
