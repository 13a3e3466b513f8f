# caught by: nothing
# backwards, by pointers
s/^    for (int i = row_start\[m\]; i < row_start\[m + 1\]; i++)$/    for (int n = row_start[m + 1] - row_start[m], i = row_start[m + 1] - 1; n > 0; n--, i--)/
s/^        sum += value\[i\] \* x\[column\[i\]\];$/        sum = fmaf(x[column[i]], value[i], sum);/
