# caught by: nothing
# the sums are cleared, and every instruction adds to them
s/^    float sum\[SIDE \/ 2\];/    float sum[SIDE \/ 2] = {};/
s/k + i > 0);/1);/
