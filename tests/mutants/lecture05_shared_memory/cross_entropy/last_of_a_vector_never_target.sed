# file: lecture05_shared_memory/cross_entropy.cu
# test: lecture05_shared_memory/cross_entropy 3
s/(target - first) < COUNT/(target - first) < COUNT - 1/
