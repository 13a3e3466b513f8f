# caught by: nothing
s/^        tile\[RADIUS + THREADS + t\] = at(x, i + THREADS, n);$/    }\n    if (t >= THREADS - RADIUS) {\n        tile[t + 2 * RADIUS] = at(x, i + RADIUS, n);/
