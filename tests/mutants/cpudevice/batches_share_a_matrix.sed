# file: cpudevice/include/cublas_v2.h
# test: cpudevice_library
s/\*pb = b\[blockIdx.z\] + /*pb = b[0] + /
