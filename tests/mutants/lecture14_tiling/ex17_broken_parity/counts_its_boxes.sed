# caught by: nothing
s/^    uint32_t parity = 0;$/    uint32_t parity = 0, boxes = 0;/
s/^        parity ^= 1;$/        parity = ++boxes % 2;/
