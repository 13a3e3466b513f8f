# file: lecture11_sparsity/csr16/rows.cuh
# test: lecture11_sparsity/csr16 3
s/^        x = max(x, /        x = min(x, /
