s/(int)(word << (28 - 4 \* i)) >> 28/word >> (4 * i) \& 15/
