# file: cpudevice/include/cublas_lt_matmul.h
# test: cpudevice/tests/libraries/libraries.sh 'cublasLt by OpenBLAS'
s/p.bias_by_columns = turned/p.bias_by_columns = 0/
