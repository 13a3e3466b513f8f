# file: lecture11_sparsity/spmm_block/bsr_wgmma.cuh
# test: lecture11_sparsity/spmm_block 6
s/^            if (!(mine >> r & 1))$/            if (mine == 0)/
