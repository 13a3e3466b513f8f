# file: cpudevice/include/cublas_v2.h
# test: cpudevice/tests/runtime/library test_vectors
s/kind == 1 ? sqrt(sum) : sum/sum/
