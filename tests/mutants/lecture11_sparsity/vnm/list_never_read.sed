# file: lecture11_sparsity/vnm/rows.cuh
# test: lecture11_sparsity/vnm 2
s/^        if (!AHEAD)$/        if (AHEAD)/
