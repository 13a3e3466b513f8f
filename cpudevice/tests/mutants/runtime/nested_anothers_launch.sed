# file: cpudevice/runtime/launch/pending.c
# test: cpudevice/tests/runtime/nested
s/ \&\& w->launches\[i\].thread != cpudev_tid()//
