# caught by: limits
s/tile\[t + k\];/at(x, i + k - RADIUS, n);/
