# file: lecture11_sparsity/spmm_block/bsr_wgmma.cuh
# test: lecture11_sparsity/spmm_block show
s/WgmmaColumns<R::BN>::run(acc\[r\], da + i \* (2048 \/ 16)/WgmmaColumns<R::BN>::run(acc[r], da + i * 2/
