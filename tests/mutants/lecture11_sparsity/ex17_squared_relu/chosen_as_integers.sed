# caught by: nothing
# compares the bits of the sums after ReLU: positive floats are in the order of their bits. Squares only what stays
/^    uint32_t kept\[2\];/,/^    ((uint2 \*)values)/c\
    uint16_t kept[4];\
    unsigned both = 0;\
    for (int group = 0; group < 2; group++) {\
        int sum[4], first = 0, second;\
        for (int i = 0; i < 4; i++)\
            sum[i] = max((int)(int16_t)(word[2 * group + i / 2] >> i % 2 * 16), 0);\
        for (int i = 1; i < 4; i++)\
            first = sum[i] > sum[first] ? i : first;\
        second = first == 0;\
        for (int i = second + 1; i < 4; i++)\
            second = i != first \&\& sum[i] > sum[second] ? i : second;\
        const int low = min(first, second), high = max(first, second);\
        const float a = __uint_as_float((uint32_t)sum[low] << 16), b = __uint_as_float((uint32_t)sum[high] << 16);\
        const uint32_t two = pair(a * a, b * b);\
        kept[2 * group] = (uint16_t)two, kept[2 * group + 1] = (uint16_t)(two >> 16);\
        both |= (unsigned)(low | high << 2) << 4 * group;\
    }\
    ((uint2 *)values)[t] = make_uint2(kept[0] | (uint32_t)kept[1] << 16, kept[2] | (uint32_t)kept[3] << 16);
