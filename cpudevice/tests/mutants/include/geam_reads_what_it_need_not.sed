# file: cpudevice/include/cublas_v2.h
# test: cpudevice/tests/runtime/library
s/beta == 0 ? x : x + beta/x + beta/
