# file: cpudevice/runtime/ipc/event_watch.c
# test: cpudevice/tests/runtime/ipc_events
s/shared_event_pending(e, w->record)/shared_event_pending(e, shared_event_last(e))/
