s/^    if (i < n)$/    if (1)/
