# file: lecture11_sparsity/vnm/rows.cuh
# test: lecture11_sparsity/vnm 2
s/(size_t)(m0 \/ VNM_V) \* p.K/(size_t)0 * p.K/
