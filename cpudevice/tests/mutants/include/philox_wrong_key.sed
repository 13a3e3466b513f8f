# file: cpudevice/include/curand_kernel.h
# test: cpudevice/tests/runtime/random test_philox_known_answers
s/0x9E3779B9u/0x9E3779B8u/
