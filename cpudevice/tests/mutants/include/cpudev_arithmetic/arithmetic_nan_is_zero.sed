# file: cpudevice/include/cpudev_arithmetic.h
# test: conformance/loops/arithmetic/cast_nan
s/: f != f  *? 1ull << 63/: f != f ? 0ull/
