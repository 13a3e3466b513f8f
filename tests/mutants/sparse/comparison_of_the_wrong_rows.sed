# file: lecture11_sparsity/prune24/runtime.cuh
# test: sparsity_device
s/in_G = __funnelshift_l(__float_as_uint(G\[i\] - G\[j\]), in_G, 1);/in_G = __funnelshift_l(__float_as_uint(D[i] - D[j]), in_G, 1);/
