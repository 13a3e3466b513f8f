# file: cpudevice/runtime/ipc/ipc_event.c
# test: cpudevice/tests/runtime/ipc_events
s/    if (c) {/    if (!c) {/
