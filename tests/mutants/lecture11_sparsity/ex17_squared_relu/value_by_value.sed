# caught by: limits
# writes each value by itself: the lanes of a warp lie 8 bytes apart, and a sector is written four times
s/^    ((uint2 \*)values)\[t\] = .*/    for (int i = 0; i < 4; i++)\
        values[4 * t + i] = (uint16_t)(kept[i \/ 2] >> i % 2 * 16);/
