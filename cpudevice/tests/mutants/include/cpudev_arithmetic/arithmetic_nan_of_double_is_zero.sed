# file: cpudevice/include/cpudev_arithmetic.h
# test: conformance/loops/arithmetic/cast_nan
s/| (f != f ? none : 0u)//
