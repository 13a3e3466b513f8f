# file: cpudevice/driver/main.c
# test: cpudevice/tests/libraries/libraries.sh cublas_gemm_by_openblas
s/-Wl,-u,cpudev_blas_gemm/-Wl,-u,cudaFree/
