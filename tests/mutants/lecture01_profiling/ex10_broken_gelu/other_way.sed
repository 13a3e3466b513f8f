# caught by: nothing
s/^    if (i < n)$/    if (i >= n)\n        return;/
s/^        y\[i\] = .*/    y[i] = x[i] * (1.0f \/ (1.0f + expf(x[i] * -1.702f)));/
