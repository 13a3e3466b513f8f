# file: cpudevice/runtime/async/bulk.c
# test: cpudevice/tests/ptx/ptx_async
s/copy \*c = new_load(place, buffer, bytes, cpudev_from_shared(bar), reduce, type, site);/copy *c = new_load(place, buffer, bytes, cpudev_from_shared(bar), 0, type, site);/
