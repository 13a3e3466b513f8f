# caught by: nothing
# a thread makes four neighbouring sums, of which each read is used up to five times
s/^        int sum = 0;$/&/
s/^    for (int row = ty; row < TILE; row += ROWS) {$/    int v[8], sums[4];\n    for (int i = 0; i < 8; i++)\n        v[i] = across[4 * ty + i][tx];\n    for (int k = 0; k < 4; k++) {\n        sums[k] = 0;\n        for (int i = 0; i < 5; i++)\n            sums[k] += tap(i) * v[k + i];\n    }\n    for (int k = 0; k < 4; k++) {\n        const int row = 4 * ty + k;/
/const int row = 4 \* ty + k;/,/turned\[tx\]/ {
    s/^        int sum = 0;$/        const int sum = sums[k];/
    /^        for (int i = 0; i < 5; i++)$/d
    /^            sum += tap(i) \* across\[row + i\]\[tx\];$/d
}
