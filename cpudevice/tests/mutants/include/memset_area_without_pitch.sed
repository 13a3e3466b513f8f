# file: cpudevice/include/cpudev_memset.h
# test: cpudevice/tests/runtime/driver_api.sh 'areas are filled with values of 8, 16 and 32 bits'
s|{(char \*)(size_t)p + i, size, size, pitch / size}|{(char *)(size_t)p + i, size, size, width}|
