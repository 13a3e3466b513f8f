s|^        tile\[RADIUS + THREADS + t\] = at(x, i + THREADS, n);$|        tile[RADIUS + THREADS + t] = 0;|
