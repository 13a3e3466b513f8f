# caught by: nothing
s/(float)((int)(word << (28 - 4 \* i)) >> 28)/(float)((int)((word >> 4 * i \& 15) ^ 8) - 8)/
