# file: lecture11_sparsity/recipe/net.cuh
# test: lecture11_sparsity/recipe show
s/__float_as_uint(w\[i + c\]\[o + r\])/__float_as_uint(w[i + r][o + c])/
