# file: cpudevice/include/curand_kernel.h
# test: cpudevice/tests/runtime/random
s/square(far\[0\], turn\[0\]);/square(far[0], turn[1]);/
