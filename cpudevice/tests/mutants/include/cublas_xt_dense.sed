# file: cpudevice/include/cublasXt.h
# test: cpudevice/tests/libraries/libraries.sh cublas_xt
s/cpudev_xt_copy(dc, m, c, ldc, m, n))$/cpudev_xt_copy(dc, m, c, m, m, n))/
