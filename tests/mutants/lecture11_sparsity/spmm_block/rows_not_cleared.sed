# file: lecture11_sparsity/spmm_block/bsr_wgmma.cuh
# test: lecture11_sparsity/spmm_block 6
s/^            acc\[r\]\[i\] = 0; .*/            acc[r][i] = steps ? acc[r][i] : 0;/
