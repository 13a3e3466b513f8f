# file: cpudevice/runtime/launch/pending.c
# test: cpudevice_nested
s/ \&\& w->launches\[i\].thread != cpudev_tid()//
