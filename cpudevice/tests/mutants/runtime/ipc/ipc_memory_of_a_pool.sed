# file: cpudevice/runtime/ipc/ipc.c
# test: cpudevice/tests/runtime/ipc_events
s/ || (a.flags & MEMORY_OF_POOL)//
