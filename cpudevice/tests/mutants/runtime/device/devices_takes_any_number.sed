# file: cpudevice/runtime/device/devices.c
# test: cpudevice/tests/runtime/devices.sh devices
s/ || \*end//
