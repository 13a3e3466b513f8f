# threads past the end leave before they bring their zeros
s|^    tile\[RADIUS + t\] = at(x, i, n);$|    if (i >= n) return; tile[RADIUS + t] = at(x, i, n);|
