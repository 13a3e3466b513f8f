# file: cpudevice/include/cpudev_arithmetic.h
# test: conformance/loops/arithmetic/cast_forms
s/((__T)f & -(__T)(f > __F(0)))/(__T)f/
