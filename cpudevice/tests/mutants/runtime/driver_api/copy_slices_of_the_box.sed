# file: cpudevice/runtime/driver_api/driver_copy.c
# test: cpudevice/tests/runtime/driver_api.sh copies
s/pitch, height \* pitch};/pitch, box->height * pitch};/
