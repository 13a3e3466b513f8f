# file: lecture11_sparsity/formats/tiles.cuh
# test: lecture11_sparsity/formats 7
s/make_int2(at + 1 < end ? NEXT_WINDOW : NO_MORE, 0)/make_int2(NO_MORE, 0)/
