# file: cpudevice/runtime/launch/nested.c
# test: cpudevice/tests/runtime/nested
s/return &w->calls.errors\[cpudev_tid()\];/return \&w->calls.errors[0];/
