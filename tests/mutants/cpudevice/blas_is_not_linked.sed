# file: cpudevice/driver/main.c
# test: libraries.sh
s/-Wl,-u,cpudev_blas_gemm/-Wl,-u,cudaFree/
