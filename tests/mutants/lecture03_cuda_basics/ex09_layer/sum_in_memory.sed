# caught by: limits
s/^        float sum = b\[col\];$/        float *sum = \&out[(size_t)row * units + col];\
        *sum = b[col];/
s/^            sum += x/            *sum += x/
s/^        out\[(size_t)row \* units + col\] = fmaxf(sum, 0);$/        *sum = fmaxf(*sum, 0);/
