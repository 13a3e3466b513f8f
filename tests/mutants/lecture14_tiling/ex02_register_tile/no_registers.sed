# caught by: limits
# right, but shared memory is read for each product
/^            float a\[T\], b\[T\];$/,/^                b\[j\] = /d
s/^                    sum\[i\]\[j\] += a\[i\] \* b\[j\];$/                    sum[i][j] += As[row + i][k] * Bs[k][column + j];/
