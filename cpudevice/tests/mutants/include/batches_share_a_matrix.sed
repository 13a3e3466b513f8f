# file: cpudevice/include/cublas_gemm.h
# test: cpudevice/tests/runtime/library test_matrices
s/((const __A \*const \*)b)\[blockIdx.z\]/((const __A *const *)b)[0]/
