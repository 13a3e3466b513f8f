# every step copies the rows of the first
s/list\[k0 + row\] \* N/list[row] * N/
