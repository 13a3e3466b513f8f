# file: cpudevice/runtime/driver_api/module.c
# test: cpudevice/tests/toolkit/toolkit.sh extension
s/enter != (void \*)(uintptr_t)cpudev_enter && (\*own = open_own_library(m)) < 0/0/
