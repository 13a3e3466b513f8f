# caught by: limits
s/^    tile\[RADIUS + t\] = at(x, i, n);$/    for (int k = 0; t == 0 \&\& k < THREADS; k++)\n        tile[RADIUS + k] = at(x, i + k, n);/
