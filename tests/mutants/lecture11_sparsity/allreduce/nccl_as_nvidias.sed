# file: lecture11_sparsity/allreduce/nccl_open.cuh
# test: tests/course/gpus.sh allreduce nccl
s/snprintf(marked, sizeof marked, "%s (CPU device)", name);/snprintf(marked, sizeof marked, "%s", name);/
