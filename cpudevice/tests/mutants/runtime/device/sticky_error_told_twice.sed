# file: cpudevice/runtime/device/last_error.c
# test: cpudevice/tests/runtime/core
/^#include "last_error.h"/a #include "device_state.h"
s/ e = \*last;$/ e = sticky_error() ? sticky_error() : *last;/
