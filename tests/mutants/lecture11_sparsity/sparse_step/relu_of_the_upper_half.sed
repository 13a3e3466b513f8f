# file: lecture11_sparsity/sparse_step/elementwise.cuh
# test: lecture11_sparsity/sparse_step 1
s/return (f.x < 0 ? 0 : x & 0xffffu) | (f.y < 0 ? 0 : x & 0xffff0000u);/return (x \& 0xffffu) | (f.y < 0 ? 0 : x \& 0xffff0000u);/
