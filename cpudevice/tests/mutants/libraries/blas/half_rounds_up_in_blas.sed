# file: cpudevice/libraries/blas/blas_convert.h
# test: cpudevice/tests/libraries/libraries.sh cublas_gemm_by_openblas
s/0xfff + (u >> 13 & 1)/0x1000/
