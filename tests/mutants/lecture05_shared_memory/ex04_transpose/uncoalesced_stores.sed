# caught by: limits
/^    m = blockIdx.y \* TILE + x;$/d
/^    n = blockIdx.x \* TILE + y;$/d
s/^        if (m < M && n + i < N)$/        if (m + i < M \&\& n < N)/
s/^            B\[(size_t)(n + i) \* M + m\] = tile\[x\]\[y + i\];$/            B[(size_t)n * M + m + i] = tile[y + i][x];/
