# file: cpudevice/include/curand_kernel.h
# test: cpudevice_random
s/square(far\[0\], turn\[0\]);/square(far[0], turn[1]);/
