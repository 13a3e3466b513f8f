# file: lecture11_sparsity/formats/tiles.cuh
# test: lecture11_sparsity/formats 7
/^ *if (lane == r)$/{N;d}
