# file: cpudevice/runtime/device/call.c
# test: tests/profiler/profiler_api
s/atomic_fetch_add(&taken, 4096)/atomic_fetch_add(\&taken, 4095)/
