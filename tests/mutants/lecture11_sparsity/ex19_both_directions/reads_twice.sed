# caught by: limits
# two passes: the elements of the transpose are read again
s/make_float2(pick(w_t\[i\], first(down) \/ 4), pick(w_t\[i\], last(down) \/ 4))/make_float2(((const volatile float *)W)[(size_t)(row + first(down) \/ 4) * K + column + i], ((const volatile float *)W)[(size_t)(row + last(down) \/ 4) * K + column + i])/
