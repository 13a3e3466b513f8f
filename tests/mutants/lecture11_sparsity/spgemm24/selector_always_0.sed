# file: lecture11_sparsity/spgemm24/mma.cuh
# test: tests/course/sparsity_device products_agree_with_double
s/mma_sp_m16n8k32_bf16<1>(d, a, b, meta);/mma_sp_m16n8k32_bf16<0>(d, a, b, meta);/
