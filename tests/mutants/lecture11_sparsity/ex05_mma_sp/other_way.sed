# caught by: nothing
# two pointers that move on
s/^        int k = 8 \* i + 2 \* t;$/        const uint16_t *from = B + g + 8 * (2 * t + 8 * i);/
s/^        b\[i\] = pair(.*$/        b[i] = from[0] | (uint32_t)from[8] << 16;/
