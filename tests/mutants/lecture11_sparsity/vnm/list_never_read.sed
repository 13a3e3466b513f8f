# file: lecture11_sparsity/vnm/rows.cuh
# test: lecture11_sparsity/vnm
s/^        if (!AHEAD)$/        if (AHEAD)/
