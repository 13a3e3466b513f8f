# caught by: limits
# right, but A's fragment is put together from single elements, twice as many reads as words
s/^        ldmatrix_x4(a, .*$/        for (int i = 0; i < 4; i++) {\n            const volatile uint16_t *from = (const volatile uint16_t *)\&As[lane \/ 4 + i % 2 * 8][lane % 4 * 2 + i \/ 2 * 8];\n            a[i] = from[0];\n            a[i] |= (uint32_t)from[1] << 16;\n        }/
