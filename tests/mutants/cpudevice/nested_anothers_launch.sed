# file: cpudevice/runtime/pending.c
# test: cpudevice_nested
s/ \&\& w->launches\[i\].thread != cpudev_tid()//
