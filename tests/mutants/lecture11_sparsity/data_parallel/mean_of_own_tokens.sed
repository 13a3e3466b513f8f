# file: lecture11_sparsity/data_parallel/network.cuh
# test: tests/course/gpus.sh data_parallel 2
s/1.0f \/ (float)s->all/1.0f \/ (float)s->B/
