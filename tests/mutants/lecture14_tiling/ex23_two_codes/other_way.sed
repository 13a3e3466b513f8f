# caught by: nothing
# by a conversion of each code
s/^        two\[j\] = difference(.*$/        two[j] = (unsigned)__bfloat16_as_ushort(__float2bfloat16((float)(word >> 4 * j \& 15) - (float)(bias \& 127))) | (unsigned)__bfloat16_as_ushort(__float2bfloat16((float)(word >> (4 * j + 16) \& 15) - (float)(bias \& 127))) << 16;/
