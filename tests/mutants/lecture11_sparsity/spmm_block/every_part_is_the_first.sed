# file: lecture11_sparsity/spmm_block/bsr_wgmma.cuh
# test: lecture11_sparsity/spmm_block 8
s/here.block\[r\] \* 64 + rank \* PART, bar/here.block[r] * 64, bar/
