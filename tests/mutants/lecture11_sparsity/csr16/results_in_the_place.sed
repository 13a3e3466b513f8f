# file: lecture11_sparsity/csr16/rows.cuh
# test: lecture11_sparsity/csr16 4
/^    if (m >= 0 && n < p.N)$/{n;s/p, m, n, sum/p, place, n, sum/}
