# caught by: limits
s/^    if (i < n)$/    if (i >= n)\
        x[i] -= 1;/
