# file: cpudevice/include/cpudev_device.h
# test: conformance/loops/atomics/wide
/^template <class __T> CPUDEV_ALWAYS __T wide_exch/,/^}/s/return bits<__T>(old);/return bits<__T>(v);/
