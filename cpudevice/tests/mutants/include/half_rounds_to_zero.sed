# file: cpudevice/include/cpudev_smallfloat.h
# test: conformance/loops/exchange/half_product
s/(cpudev_4_floats){f}, 0)/(cpudev_4_floats){f}, 3)/
s/((magnitude >> 13) \& 1u)) >> 13/0u) >> 13/
