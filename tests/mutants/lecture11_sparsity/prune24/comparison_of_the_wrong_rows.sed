# file: lecture11_sparsity/prune24/runtime.cuh
# test: tests/course/sparsity_device
s/(G\[j\] > G\[i\] ? 2 : 0)/(D[j] > D[i] ? 2 : 0)/
