# file: cpudevice/include/cpudev_smallfloat.h
# test: cpudevice/tests/arithmetic/subnormal.sh
/^CPUDEV_SMALL float cpudev_half_to_float/,/^}/s/^#if CPUDEV_FLUSHES.*/#if 0/
