# file: cpudevice/runtime/driver_api/module.c
# test: cpudevice/tests/toolkit/toolkit.sh extension
s/RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL/RTLD_LAZY | RTLD_NOLOAD/
