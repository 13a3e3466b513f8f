# file: lecture11_sparsity/sparse_step.cu
# test: lecture11_sparsity/sparse_step 2
s/sparse_times<SHARE, SPARSE_TURNED>(s, s->values_t, s->meta_t, /sparse_times<SHARE, SPARSE_TURNED>(s, s->values, s->meta, /
