# caught by: limits
s|tile\[t\] - tile\[t - 1\]|tile[t] - x[i - 1]|
