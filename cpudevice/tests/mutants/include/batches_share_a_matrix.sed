# file: cpudevice/include/cublas_gemm.h
# test: cpudevice/tests/runtime/library
s/((const __A \*const \*)b)\[blockIdx.z\]/((const __A *const *)b)[0]/
