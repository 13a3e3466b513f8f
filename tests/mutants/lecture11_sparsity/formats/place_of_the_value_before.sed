# file: lecture11_sparsity/formats/tiles.cuh
# test: lecture11_sparsity/formats 7
s/T::ROW_BYTES + (lane + 1) \* 8;/T::ROW_BYTES + lane * 8;/
