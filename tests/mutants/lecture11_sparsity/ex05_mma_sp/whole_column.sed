# caught by: limits
# right, but each lane reads its whole column of B, four times what it needs
/^    for (int i = 0; i < 4; i++) {$/{
N
/int k = 8/!b
N
N
c\
    for (int k = 0; k < 32; k++) {\
        const uint32_t element = ((const volatile uint16_t *)B)[k * 8 + g];\
        if (k % 8 / 2 == t)\
            b[k / 8] |= element << k % 2 * 16;\
    }
}
