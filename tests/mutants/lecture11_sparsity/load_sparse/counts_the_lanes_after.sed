# file: lecture11_sparsity/load_sparse/bitmap.cuh
# test: lecture11_sparsity/load_sparse 2
s/__popc(four_lanes & ((1u << shift) - 1))/__popc(four_lanes \& ~((1u << shift) - 1))/
