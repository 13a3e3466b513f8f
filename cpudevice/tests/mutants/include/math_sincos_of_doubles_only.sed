# file: cpudevice/include/cpudev_math.h
# test: conformance/loops/functions/float_overloads
s/^CPUDEV_FN void sincos(float x.*//
