# file: lecture11_sparsity/sparse_step.cu
# test: lecture11_sparsity/sparse_step 1
s/^static Prune24Update update_of(const Step \*s) { return {s->G, s->W, RATE}; }/static Prune24Update update_of(const Step *s) { return {s->G, s->W, -RATE}; }/
