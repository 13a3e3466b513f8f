# file: cpudevice/include/cpudev_narrowfloat.h
# test: cpudevice/tests/compiler/headers in_cpp
/^#include <type_traits>$/d
