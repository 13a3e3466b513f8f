# caught by: nothing
# the four bits first, and then the sign
s/(float)((int)(word << (28 - 4 \* i)) >> 28)/(float)((int)((word >> (4 * i) \& 15) ^ 8) - 8)/
