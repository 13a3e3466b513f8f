# file: cpudevice/include/cpudev_arithmetic.h
# test: conformance/loops/arithmetic/division_narrow
s/sizeof(First) <= 2 \&\&/sizeof(First) <= 1 \&\& sizeof(First) > 1 \&\&/
