# file: lecture11_sparsity/allreduce/empty.cuh
# test: tests/course/gpus.sh allreduce 2
# what has come from the other rank is left out of the sum of a vector that fills the blocks
s/second = v\.rank ? mine : other;/second = mine;/
