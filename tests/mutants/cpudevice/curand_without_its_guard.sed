# file: cpudevice/include/curand.h
# test: cpudevice_random
s/^#define CURAND_H_ .*//
