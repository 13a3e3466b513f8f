# caught by: nothing
s/tile\[t\] = x\[i\];/tile[THREADS - 1 - t] = x[i];/
s/tile\[THREADS - 1 - t\];$/tile[t];/
