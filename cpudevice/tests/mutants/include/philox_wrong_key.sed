# file: cpudevice/include/curand_kernel.h
# test: cpudevice/tests/runtime/random
s/0x9E3779B9u/0x9E3779B8u/
