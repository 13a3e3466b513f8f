# file: lecture11_sparsity/csr16/rows.cuh
# test: lecture11_sparsity/csr16 1
s/csr16_float(two\[i\] << 16)/csr16_float(two[i] \& 0xffff0000u)/
