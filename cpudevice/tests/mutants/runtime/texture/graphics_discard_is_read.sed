# file: cpudevice/runtime/texture/graphics.c
# test: cpudevice/tests/runtime/graphics.sh graphics
s/to_device && r->flags == cudaGraphicsMapFlagsWriteDiscard/to_device \&\& r->flags == 99/
