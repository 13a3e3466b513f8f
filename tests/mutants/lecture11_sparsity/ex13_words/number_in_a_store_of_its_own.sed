# caught by: limits
s/^    \*(volatile unsigned long long \*).*/    ((volatile unsigned *)\&to_peer[i])[0] = __float_as_uint(in[i]);\
    ((volatile unsigned *)\&to_peer[i])[1] = call;/
