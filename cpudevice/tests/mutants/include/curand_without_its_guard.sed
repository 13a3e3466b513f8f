# file: cpudevice/include/curand.h
# test: cpudevice/tests/runtime/random
s/^#define CURAND_H_ .*//
