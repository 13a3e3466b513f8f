# caught by: nothing
s/^    if (i < n)$/    if (i > n - 1)\
        return;\
    else/
