# file: lecture11_sparsity/allreduce/empty.cuh
# test: tests/course/gpus.sh allreduce sizes
s/store_quad(v\.out, first + k \* step, n, sum);/store_quad(v.out, first, n, sum);/
