# file: cpudevice/include/cpudev_float16.h
# test: cpudevice/tests/random/random_accesses
s/__attribute__((unused, always_inline))/__attribute__((unused, noinline))/
