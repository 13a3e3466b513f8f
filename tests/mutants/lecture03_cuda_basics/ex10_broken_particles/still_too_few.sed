s/^    for (; i < n \* FLOATS; i += gridDim.x \* blockDim.x)/    if (i < n * FLOATS)/
