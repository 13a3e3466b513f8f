s|tile\[THREADS - 1 - t\]|tile[t]|
