# file: lecture11_sparsity/spmm_block/bsr_wgmma.cuh
# test: lecture11_sparsity/spmm_block
s/R::TURNED ? wgmma_descriptor_mn(a, R::BOX) : wgmma_descriptor(a, 128)/wgmma_descriptor(a, 128)/
