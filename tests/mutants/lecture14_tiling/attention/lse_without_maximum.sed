# file: lecture14_tiling/attention/online.cuh
# test: lecture14_tiling/block 3
s/(rows\.max\[h\] \* c + log2f(sum))/log2f(sum)/
