# file: lecture11_sparsity/allreduce/empty.cuh
# test: tests/course/gpus.sh allreduce 2
s/store(r, first + k \* step, next);/store(v.rank, first + k * step, next);/
