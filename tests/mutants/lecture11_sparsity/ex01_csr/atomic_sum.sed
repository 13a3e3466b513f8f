# caught by: limits
# right, but each product is an atomic
s/^    for (int i = row_start\[m\]; i < row_start\[m + 1\]; i++)$/    y[m] = 0;\n&/
s/^        sum += value\[i\] \* x\[column\[i\]\];$/        atomicAdd(\&y[m], value[i] * x[column[i]]);\n    sum = y[m];/
