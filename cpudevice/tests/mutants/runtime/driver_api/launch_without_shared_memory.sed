# file: cpudevice/runtime/driver_api/parameter_block.c
# test: cpudevice/tests/runtime/driver_api.sh blocks
s/b->shape, b->shared, stream/b->shape, 0, stream/
