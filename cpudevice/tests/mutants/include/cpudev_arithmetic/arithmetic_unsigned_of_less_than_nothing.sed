# file: cpudevice/include/cpudev_arithmetic.h
# test: conformance/loops/arithmetic/cast_forms
s/((unsigned)f & -(unsigned)(f > __F(0)))/(unsigned)f/
