# file: cpudevice/include/cpudev_arithmetic.h
# test: conformance/loops/arithmetic/shift_counts
s/return n < bits ? (__T)((__U)a << n) : __T(0);/return (__T)((__U)a << (n % bits));/
