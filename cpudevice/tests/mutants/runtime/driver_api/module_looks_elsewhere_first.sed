# file: cpudevice/runtime/driver_api/module.c
# test: cpudevice/tests/toolkit/toolkit.sh extension
# the library is needed, but what others have shown comes first
s/(own < 0 ? 0 : RTLD_DEEPBIND)/0/
