# file: cpudevice/runtime/driver_api/driver_copy.c
# test: cpudevice/tests/runtime/driver_api.sh copies
s/(pitch > INT_MAX || !within(s->x, box->width, pitch))/pitch > INT_MAX/
