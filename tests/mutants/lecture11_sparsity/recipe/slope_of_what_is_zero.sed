# file: lecture11_sparsity/recipe/net.cuh
# test: lecture11_sparsity/recipe show
s/x\[at_x\] <= 0 ? 0/x[at_x] < 0 ? 0/
