# file: cpudevice/runtime/ipc/ipc_event.c
# test: cpudevice_ipc_events
s/ || !memcmp(&handle, &zeros, sizeof zeros)//
