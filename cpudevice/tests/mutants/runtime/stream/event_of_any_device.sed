# file: cpudevice/runtime/stream/event.c
# test: cpudevice/tests/runtime/devices.sh devices
s/event->device != s->device/0/
