# caught by: limits
# right, but one lane of four reads the column and the others are told
/^    for (int i = 0; i < 4; i++) {$/{
N
/int k = 8/!b
N
N
c\
    for (int k = 0; k < 32; k++) {\
        uint32_t element = t == 0 ? B[k * 8 + g] : 0;\
        element = __shfl_sync(0xffffffffu, element, lane / 4 * 4);\
        if (k % 8 / 2 == t)\
            b[k / 8] |= element << k % 2 * 16;\
    }
}
