# file: cpudevice/include/cublas_gemm.h
# test: cpudevice/tests/libraries/libraries.sh cublas_gemm_by_loops
s/if (row < m \&\& i + y < k)/if (row < m)/
s/if (column < n \&\& i + x < k)/if (column < n)/
