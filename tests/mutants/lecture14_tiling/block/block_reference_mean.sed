# file: lecture14_tiling/block/reference.h
# test: lecture14_tiling/block 1
s/p\[j\] \* (dp\[j\] - mean)/p[j] * dp[j]/
