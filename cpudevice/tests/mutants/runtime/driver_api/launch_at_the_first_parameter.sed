# file: cpudevice/runtime/driver_api/parameter_block.c
# test: cpudevice/tests/runtime/driver_api.sh blocks
s/memcpy(b->parameters + offset, p, bytes)/memcpy(b->parameters, p, bytes)/
