# caught by: nothing
/^            float a\[T\], b\[T\];/,/^                    sum\[i\]\[j\] +=/c\
            float a[T];\
            for (int i = 0; i < T; i++)\
                a[i] = As[row + i][k];\
            for (int j = 0; j < T; j++) {\
                const float b = Bs[k][column + j];\
                for (int i = 0; i < T; i++)\
                    sum[i][j] = fmaf(a[i], b, sum[i][j]);\
            }
