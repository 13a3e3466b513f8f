# file: cpudevice/runtime/device/beside.c
# test: cpudevice/tests/toolkit/shared.sh beside
s/devices.other) & BESIDE_SHARED/devices.other)/
