# file: cpudevice/runtime/ipc/ipc_event.c
# test: cpudevice_ipc_events
s/    if (c) {/    if (!c) {/
