# file: cpudevice/runtime/memory/pool.c
# test: cpudevice/tests/runtime/devices.sh devices
s/pool_of(s->device), ptr, size/pool_of(current_device()), ptr, size/
