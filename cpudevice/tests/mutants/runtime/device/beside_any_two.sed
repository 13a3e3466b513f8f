# file: cpudevice/runtime/device/beside.c
# test: cpudevice/tests/toolkit/shared.sh 'two extensions with runtimes of their own say nothing, as before'
s/devices.other) & BESIDE_SHARED/devices.other)/
