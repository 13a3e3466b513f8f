# file: cpudevice/include/cublas_v2.h
# test: cpudevice/tests/compiler/headers in_c
s/^#ifdef __CUDACC__$/#if 1/
