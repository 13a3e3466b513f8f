# file: cpudevice/include/curand_sobol.h
# test: cpudevice/tests/runtime/random test_sobol
s/if (a >> (degree - 1 - k) & 1)/if (a >> (k - 1) \& 1)/
