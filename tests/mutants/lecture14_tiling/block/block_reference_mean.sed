# file: lecture14_tiling/block/reference.h
# test: lecture14_tiling/block
s/p\[j\] \* (dp\[j\] - mean)/p[j] * dp[j]/
