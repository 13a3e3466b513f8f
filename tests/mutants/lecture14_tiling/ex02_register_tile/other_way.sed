# caught by: nothing
# B by 16 bytes, A while it is used
/^            for (int j = 0; j < T; j++)$/{
N
s/^.*b\[j\] = .*$/            for (int j = T - 1; j >= 0; j--)\n                b[j] = (\&Bs[k][column])[j];/
}
s/^                    sum\[i\]\[j\] += a\[i\] \* b\[j\];$/                    sum[i][j] = fmaf(a[i], b[j], sum[i][j]);/
