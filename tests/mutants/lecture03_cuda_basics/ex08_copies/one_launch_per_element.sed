# caught by: limits
s/^        triple_kernel<<<.*$/        for (int i = 0; i < n; i++)\
            triple_kernel<<<1, 1>>>(d_x + i, 1);/
