# caught by: limits
# right, but each lane reads its whole column of B, and keeps four of sixteen elements
s/^        ldmatrix_x2_trans(b, .*$/        b[0] = b[1] = 0;\n        for (int k = 0; k < 16; k++) {\n            const uint32_t element = *(const volatile uint16_t *)\&Bs[k][lane \/ 4];\n            if (k % 8 \/ 2 == lane % 4)\n                b[k \/ 8] |= element << k % 2 * 16;\n        }/
