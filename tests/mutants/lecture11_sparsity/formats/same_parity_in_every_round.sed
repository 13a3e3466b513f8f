# file: lecture11_sparsity/formats/tiles.cuh
# test: lecture11_sparsity/formats 7
s/slot = 0, parity ^= 1;/slot = 0;/
