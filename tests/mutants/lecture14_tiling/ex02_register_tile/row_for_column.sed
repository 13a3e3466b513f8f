# reads A at the column's place
s/a\[i\] = As\[row + i\]\[k\];/a[i] = As[column + i][k];/
