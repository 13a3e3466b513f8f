# file: lecture11_sparsity/formats/tiles.cuh
# test: lecture11_sparsity/formats 7
s/(slot + T::SLOTS - 1) % T::SLOTS/slot/
