# caught by: limits
# right, but each group is decompressed: four products instead of two
s/^        sum += v\[2 \* g\] \* x\[4 \* g + (p\[g\] & 3)\];$/        float w[4] = {0, 0, 0, 0};\n        w[p[g] \& 3] = v[2 * g];\n        w[p[g] >> 2] = v[2 * g + 1];/
s/^        sum += v\[2 \* g + 1\] \* x\[4 \* g + (p\[g\] >> 2)\];$/        for (int i = 0; i < 4; i++)\n            sum += w[i] * x[4 * g + i];/
