# caught by: limits
# right, but the table is read again for each piece
s/to\[i\] = from\[i\];/to[i] = ((const float4 *)(pool + (size_t)((const volatile int *)table)[b * columns + j] * PAGE * WIDTH))[i];/
