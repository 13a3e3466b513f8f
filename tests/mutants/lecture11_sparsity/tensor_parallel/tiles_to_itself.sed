# file: lecture11_sparsity/tensor_parallel.cu
# test: tests/course/gpus.sh tensor_parallel 2
s/places\[k\] = l->y\[(i + k) % l->G\] + piece_begin(/places[k] = l->y[i] + piece_begin(/
