# caught by: nothing
# pointers that move on
s/^        for (int k = 0; k < BLOCK; k++)$/        const float *from = B + (size_t)column[b] * BLOCK * N + n;\n        for (int k = 0; k < BLOCK; k++, from += N)/
s/^            sum += row\[k\] .*$/            sum = fmaf(row[k], *from, sum);/
