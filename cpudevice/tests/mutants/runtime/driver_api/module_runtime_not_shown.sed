# file: cpudevice/runtime/driver_api/module.c
# test: cpudevice/tests/toolkit/toolkit.sh extension
s/own_library(RTLD_GLOBAL)/own_library(0)/
