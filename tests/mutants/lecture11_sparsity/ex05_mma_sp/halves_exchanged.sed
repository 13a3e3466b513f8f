s/pair(B\[k \* 8 + g\], B\[(k + 1) \* 8 + g\])/pair(B[(k + 1) * 8 + g], B[k * 8 + g])/
