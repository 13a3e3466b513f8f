# file: cpudevice/runtime/stream/memory_ops.c
# test: cpudevice/tests/runtime/driver_api.sh stream_memory
s/(int32_t)(uint32_t)(is - value) >= 0/is >= value/
