# file: cpudevice/include/cpudev_arithmetic.h
# test: conformance/loops/arithmetic/division_narrow
s/sizeof(L) <= 2 \&\&/sizeof(L) <= 1 \&\& sizeof(L) > 1 \&\&/
