# caught by: nothing
/^    for (int g = lane/,/^        sum += __shfl/c\
    for (int g = lane; g < K / 4; g += 32) {\
        const float *four = x + 4 * g;\
        const unsigned place = p[g];\
        sum = fmaf(v[2 * g], four[place % 4], fmaf(v[2 * g + 1], four[place / 4], sum));\
    }\
    for (int offset = 1; offset < 32; offset *= 2)\
        sum += __shfl_xor_sync(0xffffffff, sum, offset);
