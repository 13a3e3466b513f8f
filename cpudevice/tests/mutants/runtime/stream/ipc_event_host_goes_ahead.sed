# file: cpudevice/runtime/stream/event.c
# test: cpudevice/tests/runtime/ipc_events
s/shared_event_wait(event->shared, record);/(void)record;/
