# file: cpudevice/include/cublas_v2.h
# test: cpudevice/tests/runtime/library test_matrices
s/beta == 0 ? x : x + beta/x + beta/
