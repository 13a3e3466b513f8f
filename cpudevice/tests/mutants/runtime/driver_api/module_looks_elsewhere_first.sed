# file: cpudevice/runtime/driver_api/module.c
# test: cpudevice/tests/toolkit/toolkit.sh 'one that is loaded before has its own, and so have its modules'
# the library is needed, but what others have shown comes first
s/(own < 0 ? 0 : RTLD_DEEPBIND)/0/
