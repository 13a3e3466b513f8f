# file: cpudevice/include/cublas_gemm.h
# test: cpudevice/tests/compiler/headers in_kernels
s/return (__S)__half2float(x);/return (__S)(float)x;/
