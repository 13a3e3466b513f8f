# caught by: limits
/^    for (; i < n \* FLOATS/,/y\[i\] =/c\
    for (; i < n; i += gridDim.x * blockDim.x)\
        for (int k = 0; k < FLOATS; k++)\
            y[i * FLOATS + k] = x[i * FLOATS + k] + 0.5f * v[i * FLOATS + k];
