# file: cpudevice/include/cpudev_arithmetic.h
# test: conformance/loops/arithmetic/own_operators
s/    CPUDEV_OPERATION operator First() const { return value; }//
