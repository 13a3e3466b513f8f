# file: cpudevice/include/cpudev_arithmetic.h
# test: conformance/loops/arithmetic/shift_counts
s/return n < bits ? (T)((U)a << n) : T(0);/return (T)((U)a << (n % bits));/
