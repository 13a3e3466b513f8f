# file: cpudevice/driver/main.c
# test: cpudevice/tests/libraries/libraries.sh
s/-Wl,-u,cpudev_blas_gemm/-Wl,-u,cudaFree/
