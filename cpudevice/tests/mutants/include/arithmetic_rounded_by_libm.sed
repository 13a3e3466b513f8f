# file: cpudevice/include/cpudev_math.h
# test: conformance/loops/arithmetic/rounding_functions
s/in_64_bits(double x) { return Clamped<double, 8, true>::of(x); }/in_64_bits(double x) { return llrint(x); }/
