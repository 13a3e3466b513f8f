# file: cpudevice/include/cpudev_arithmetic.h
# test: conformance/loops/arithmetic/division_extremes
s/b == 0 ? divided_by_zero(a) : (T)(U(0) - (U)a) : a \/ b/T(0) - a : a \/ b/
