# file: cpudevice/include/cpudev_arithmetic.h
# test: conformance/loops/arithmetic/division_extremes
s/(T)((U(0) - (U)a) & (U)b) | bits_by_zero(a, b) : a/T(0) - a : a/
