# file: lecture11_sparsity/load_sparse/bitmap.cuh
# test: lecture11_sparsity/load_sparse 2
s/^        if (bits >> i & 1)$/        if (bits >> i)/
