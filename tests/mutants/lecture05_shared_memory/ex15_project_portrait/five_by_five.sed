# caught by: limits
# 25 reads of shared memory per pixel in place of 5 + 5
s/^            sum += tap(i) \* across\[row + i\]\[tx\];$/            for (int k = 0; k < 5; k++)\n                sum += tap(i) * tap(k) * pixel[row + i][tx + k];/
