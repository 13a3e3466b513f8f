# file: cpudevice/runtime/launch/pending.c
# test: cpudevice/tests/runtime/nested
s/ \&\& w->calls.launches\[i\].thread != cpudev_tid()//
