# caught by: limits
# right, but y is read and written for each nonzero
s/^    for (int i = row_start\[m\]; i < row_start\[m + 1\]; i++)$/    y[m] = 0;\n&/
s/^        sum += value\[i\] \* x\[column\[i\]\];$/        y[m] += value[i] * x[column[i]];\n    sum = y[m];/
