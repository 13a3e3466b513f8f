# file: cpudevice/libraries/blas.c
# test: libraries.sh cublas_gemm
s/"NTC"/"NTT"/
