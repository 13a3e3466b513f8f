# file: cpudevice/runtime/driver_api/module.c
# test: cpudevice/tests/toolkit/toolkit.sh 'one that is loaded before has its own, and so have its modules'
s/enter != (void \*)(uintptr_t)cpudev_enter && (\*own = open_own_library(m)) < 0/0/
