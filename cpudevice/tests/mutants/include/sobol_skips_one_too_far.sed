# file: cpudevice/include/curand_sobol.h
# test: cpudevice/tests/runtime/random test_sobol
s/cpudev_sobol_to(s, s->i + n); }/cpudev_sobol_to(s, s->i + n + 1); }/
