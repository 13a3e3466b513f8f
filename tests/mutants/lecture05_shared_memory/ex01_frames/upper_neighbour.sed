s|y\[i\] = t > 0 ? tile\[t\] - tile\[t - 1\] : tile\[0\];|y[i] = t < THREADS - 1 ? tile[t] - tile[t + 1] : tile[t];|
