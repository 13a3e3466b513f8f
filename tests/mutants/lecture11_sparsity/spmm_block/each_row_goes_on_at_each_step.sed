# file: lecture11_sparsity/spmm_block/plan.h
# test: lecture11_sparsity/spmm_block 6
s/^                at\[r\] += has;/                at[r] += b >= 0;/
