# file: lecture11_sparsity/formats/tiles.cuh
# test: lecture11_sparsity/formats
/^ *if (lane == r)$/{N;d}
