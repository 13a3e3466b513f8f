# caught by: limits
# a sum per load: the lanes of a warp lie 16 bytes apart, and each request touches eight times as many sectors
s/^    const uint4 all = .*/    const uint16_t *all = z + 8 * t;/
s/^    const uint32_t word\[4\] = .*/    uint32_t word[4];\
    for (int i = 0; i < 4; i++)\
        word[i] = all[2 * i] | (uint32_t)all[2 * i + 1] << 16;/
