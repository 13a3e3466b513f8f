# file: cpudevice/include/cublas_v2.h
# test: cpudevice_library
s/kind == 1 ? sqrt(sum) : sum/sum/
