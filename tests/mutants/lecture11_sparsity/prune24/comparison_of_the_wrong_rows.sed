# file: lecture11_sparsity/prune24/runtime.cuh
# test: tests/course/sparsity_device device_compresses_both_ways_as_the_host_does
s/(G\[j\] > G\[i\] ? 2 : 0)/(D[j] > D[i] ? 2 : 0)/
