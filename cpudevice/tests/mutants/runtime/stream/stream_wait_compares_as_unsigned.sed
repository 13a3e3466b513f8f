# file: cpudevice/runtime/stream/memory_ops.c
# test: cpudevice/tests/runtime/driver_api.sh 'streams write values into memory, and wait for them'
s/(int32_t)(uint32_t)(is - value) >= 0/is >= value/
