# file: cpudevice/runtime/ipc/ipc_event.c
# test: cpudevice/tests/runtime/ipc_events
s/ || !memcmp(&handle, &zeros, sizeof zeros)//
