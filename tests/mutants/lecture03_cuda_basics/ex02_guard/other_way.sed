# caught by: nothing
s/int blocks = (n + threads - 1) \/ threads;/int blocks = n \/ threads + 1;/
s/^    if (i < n)$/    if (i >= n)\
        return;\
    else/
