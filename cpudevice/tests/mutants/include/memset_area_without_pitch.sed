# file: cpudevice/include/cpudev_memset.h
# test: cpudevice/tests/runtime/driver_api.sh areas
s|{(char \*)(size_t)p + i, size, size, pitch / size}|{(char *)(size_t)p + i, size, size, width}|
