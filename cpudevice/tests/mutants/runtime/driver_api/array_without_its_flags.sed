# file: cpudevice/runtime/driver_api/driver_array.c
# test: cpudevice/tests/runtime/driver_api.sh copies
s/, .Flags = flags}/}/
