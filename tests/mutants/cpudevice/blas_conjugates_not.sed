# file: cpudevice/libraries/blas.c
# test: libraries.sh cublas_gemm_by_openblas
s/"NTC"/"NTT"/
