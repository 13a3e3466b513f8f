# file: cpudevice/runtime/memory/allocation.c
# test: cpudevice/tests/runtime/devices.sh devices
s/attributes->device = memory_owner(ptr);/attributes->device = 0;/
