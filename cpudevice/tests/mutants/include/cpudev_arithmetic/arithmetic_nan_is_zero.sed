# file: cpudevice/include/cpudev_arithmetic.h
# test: conformance/loops/arithmetic/cast_nan
s/(unsigned long long)(f != f) << 63/0ull/
