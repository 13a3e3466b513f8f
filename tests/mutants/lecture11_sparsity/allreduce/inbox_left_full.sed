# file: lecture11_sparsity/allreduce/empty.cuh
# test: tests/course/gpus.sh allreduce 2
/^ *store_slot(from, make_uint4(EMPTY/d
