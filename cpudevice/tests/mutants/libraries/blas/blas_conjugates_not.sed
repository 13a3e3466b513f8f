# file: cpudevice/libraries/blas/blas.c
# test: cpudevice/tests/libraries/libraries.sh cublas_gemm_by_openblas
s/"NTC"/"NTT"/
