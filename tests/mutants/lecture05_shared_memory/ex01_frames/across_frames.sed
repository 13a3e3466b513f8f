s|t > 0 ? tile\[t\] - tile\[t - 1\] : tile\[0\];|t > 0 ? tile[t] - tile[t - 1] : i > 0 ? tile[0] - x[i - 1] : tile[0];|
