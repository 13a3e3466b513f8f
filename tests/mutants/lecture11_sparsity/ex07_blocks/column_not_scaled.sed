s/((size_t)column\[b\] \* BLOCK + k)/((size_t)column[b] + k)/
