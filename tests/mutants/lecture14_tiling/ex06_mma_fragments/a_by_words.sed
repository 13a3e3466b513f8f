# caught by: nothing
# word by word, as before ldmatrix
s/^        ldmatrix_x4(a, .*$/        for (int i = 0; i < 4; i++)\n            a[i] = *(const volatile uint32_t *)\&As[lane \/ 4 + i % 2 * 8][lane % 4 * 2 + i \/ 2 * 8];/
