# file: cpudevice/runtime/driver_api/driver_copy.c
# test: cpudevice/tests/runtime/driver_api.sh copies
s/s->x % texel || box->width % texel || //
