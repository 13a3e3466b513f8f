# caught by: nothing
# byte by byte, in consecutive bytes, and blocks of 32 x 4 threads
s/ROWS = 8/ROWS = 4/
s/^    for (int k = t; k < 3 \* THREADS; k += THREADS) {$/    for (int k = t; k < 12 * THREADS; k += THREADS)\n        ((unsigned char *)word)[k] = 3 * first + k < 3 * n ? rgb[3 * first + k] : 0;\n    for (int k = t; k < 0; k++) {/
