# file: lecture14_tiling/gemm/10_register_banks.cuh
# test: lecture14_tiling/gemm 12
s/const int k_begin = blockIdx.y \* part/const int k_begin = 0 * part/
