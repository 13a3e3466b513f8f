# file: cpudevice/runtime/memory/owner.c
# test: cpudevice/tests/checker/check_mistakes.sh devices/devices_pool_access
s/return o->readers ? o->readers >> from & 1 : may_access/return may_access/
