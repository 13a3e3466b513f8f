# caught by: nothing
s/v.out\[r\]\[i\] = sum/v.out[(v.rank + r) % v.ranks][i] = sum/
