# file: cpudevice/runtime/launch/launch.c
# test: cpudevice/tests/runtime/devices.sh devices
s/s->device != current_device()/0/
