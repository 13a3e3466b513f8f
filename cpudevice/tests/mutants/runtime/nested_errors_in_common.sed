# file: cpudevice/runtime/launch/nested.c
# test: cpudevice/tests/runtime/nested
s/return &w->errors\[cpudev_tid()\];/return \&w->errors[0];/
