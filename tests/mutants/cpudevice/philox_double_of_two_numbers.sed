# file: cpudevice/include/curand_kernel.h
# test: cpudevice_random
s/return (double)curand(s) \* 0x1p-32 + 0x1p-32;/return cpudev_uniform_53(s);/
