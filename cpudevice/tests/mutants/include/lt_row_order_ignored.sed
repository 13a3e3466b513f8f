# file: cpudevice/include/cublas_lt_matmul.h
# test: cpudevice/tests/libraries/libraries.sh cublasLt
s/const bool swapped = by_rows != transposed;/const bool swapped = transposed;/
