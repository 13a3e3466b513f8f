# file: cpudevice/include/cublas_gemm.h
# test: cpudevice/tests/runtime/library
s/((const A \*const \*)b)\[blockIdx.z\]/((const A *const *)b)[0]/
