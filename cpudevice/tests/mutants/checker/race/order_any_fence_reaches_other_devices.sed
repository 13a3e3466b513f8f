# file: cpudevice/checker/race/release.c
# test: cpudevice/tests/checker/check_mistakes.sh devices/devices_fence_of_writer
s/device_of(op) == device_of(w->op) ? WIDE : FAR/device_of(op) == device_of(w->op) ? WIDE : WIDE/
