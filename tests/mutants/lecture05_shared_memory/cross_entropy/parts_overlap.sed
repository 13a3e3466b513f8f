# file: lecture05_shared_memory/cross_entropy.cu
# test: lecture05_shared_memory/cross_entropy 5
s/first = rank \* FULL_PART/first = rank * PART/
