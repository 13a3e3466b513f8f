# file: cpudevice/libraries/blas_convert.h
# test: libraries.sh cublas_gemm
s/0xfff + (u >> 13 & 1)/0x1000/
