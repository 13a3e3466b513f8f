# file: cpudevice/include/cpudev_dpx.h
# test: conformance/loops/arithmetic/dpx
s/^#define CPUDEV_SUM(type) .*/#define CPUDEV_SUM(type) ((type)((type)((unsigned)a + (unsigned)b) < a \&\& b > 0 ? a : (type)((unsigned)a + (unsigned)b)))/
