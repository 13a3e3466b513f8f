# caught by: nothing
s/^    if (i < n)$/    if (i >= n)\
        return;/
s/^        y\[i\] = x\[i\] .*/    const float v = x[i];\
    y[i] = v * (1.0f \/ (1.0f + expf(v * -1.702f)));/
