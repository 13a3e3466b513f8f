# file: cpudevice/runtime/ipc/event_watch.c
# test: cpudevice/tests/runtime/ipc_events
s/if (!shared_event_pending(e, last))/if (1)/
