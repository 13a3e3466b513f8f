# caught by: limits
s|^    if (i < n)$|    for (int k = 0; k < THREADS \&\& t == 0 \&\& i + k < n; k++)|
s|^        tile\[t\] = x\[i\];$|        tile[k] = x[i + k];|
s|^        y\[i\] = .*|        y[i + k] = k > 0 ? tile[k] - tile[k - 1] : tile[0];|
