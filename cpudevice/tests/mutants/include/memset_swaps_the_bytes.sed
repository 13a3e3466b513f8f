# file: cpudevice/include/cpudev_memset.h
# test: cpudevice/tests/runtime/driver_api.sh 'memory is filled with values of 16 and 32 bits'
s/value >> 8 \* i & 255/value >> 8 * (size - 1 - i) \& 255/
