# file: lecture11_sparsity/recipe/net.cuh
# test: lecture11_sparsity/recipe show
s/2 \* sqrtf(x\[at_x\])/sqrtf(x[at_x])/
