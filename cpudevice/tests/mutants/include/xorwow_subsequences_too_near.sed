# file: cpudevice/include/curand_kernel.h
# test: cpudevice/tests/runtime/random test_skips
s/square(far\[0\], turn\[0\]);/square(far[0], turn[1]);/
