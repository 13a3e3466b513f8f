# file: cpudevice/include/cpudev_memset.h
# test: cpudevice/tests/runtime/driver_api.sh memset
s/value >> 8 \* i & 255/value >> 8 * (size - 1 - i) \& 255/
