# file: cpudevice/include/curand.h
# test: cpudevice/tests/runtime/random test_include_guard
s/^#define CURAND_H_ .*//
