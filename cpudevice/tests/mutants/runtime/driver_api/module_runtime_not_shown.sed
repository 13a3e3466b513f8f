# file: cpudevice/runtime/driver_api/module.c
# test: cpudevice/tests/toolkit/toolkit.sh 'a module runs in a library that is loaded for itself alone'
s/own_library(RTLD_GLOBAL)/own_library(0)/
