# file: cpudevice/libraries/blas.c
# test: libraries.sh cublas_gemm_by_openblas
s/(size_t)column \* (size_t)p.ldc/(size_t)0 * (size_t)p.ldc/
