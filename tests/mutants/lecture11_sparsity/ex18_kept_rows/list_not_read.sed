# takes the rows from k0 on, as if nothing had been dropped
s/(B + (size_t)list\[k0 + row\] \* N/(B + (size_t)(k0 + row) * N/
