# caught by: limits
s/(int)(word << (28 - 4 \* i)) >> 28) \* v\[i\]/(int)(((const volatile unsigned *)words)[w] << (28 - 4 * i)) >> 28) * v[i]/
s/^        const unsigned word = words\[w\];$//
