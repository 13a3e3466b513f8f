# file: cpudevice/runtime/ipc/ipc.c
# test: cpudevice_ipc_events
s/ || (a.flags & MEMORY_OF_POOL)//
