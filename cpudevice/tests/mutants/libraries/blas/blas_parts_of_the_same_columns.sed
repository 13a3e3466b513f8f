# file: cpudevice/libraries/blas/blas.c
# test: cpudevice/tests/libraries/libraries.sh cublas_gemm_by_openblas
s/(size_t)column \* (size_t)p.ldc/(size_t)0 * (size_t)p.ldc/
