# file: cpudevice/runtime/driver_api/module.c
# test: cpudevice/tests/toolkit/shared.sh loads
s/&& image && is_ptx(image)/\&\& !image/
