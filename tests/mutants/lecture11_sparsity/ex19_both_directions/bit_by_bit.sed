# caught by: nothing
# walks over the mask, and shifts what stays into a pair
/^    for (int i = 0; i < 4; i++) {$/,/^    }$/c\
    for (int i = 0; i < 4; i++) {\
        float2 across, down;\
        int found = 0, found_t = 0;\
        for (int k = 0; k < 4; k++) {\
            if (mask >> (4 * i + k) \& 1)\
                (found++ ? across.y : across.x) = w[i][k];\
            if (mask >> (4 * k + i) \& 1)\
                (found_t++ ? down.y : down.x) = w_t[i][k];\
        }\
        ((float2 *)values)[(size_t)(row + i) * (K / 4) + column / 4] = across;\
        ((float2 *)values_t)[(size_t)(column + i) * (M / 4) + row / 4] = down;\
    }
