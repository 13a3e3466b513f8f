# file: cpudevice/runtime/memory_ops.c
# test: driver_api.sh stream_memory
s/(int32_t)(uint32_t)(is - value) >= 0/is >= value/
