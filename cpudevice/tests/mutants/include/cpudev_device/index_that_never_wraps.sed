# file: cpudevice/include/cpudev_device.h
# test: conformance/loops/index/sums_with_threadidx
s/: (unsigned long)(a + b);/: (unsigned long)a + b;/
