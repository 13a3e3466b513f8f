# file: cpudevice/runtime/stream/event.c
# test: cpudevice/tests/runtime/ipc_events
s/event->shared ? shared_event_pending(event->shared, shared_event_last(event->shared)) : event->pending/event->pending/
