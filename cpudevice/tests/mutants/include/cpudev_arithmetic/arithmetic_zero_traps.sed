# file: cpudevice/include/cpudev_arithmetic.h
# test: conformance/loops/arithmetic/division_extremes
s/(__T)((__U(0) - (__U)a) & (__U)b) | bits_by_zero(a, b) : a/__T(0) - a : a/
