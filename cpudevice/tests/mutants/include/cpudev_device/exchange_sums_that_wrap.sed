# file: cpudevice/include/cpudev_device.h
# test: conformance/loops/exchange/sums_of_coordinates
s/: (int)(a + b);/: (int)a;/
