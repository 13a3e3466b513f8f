# file: cpudevice/runtime/nested.c
# test: cpudevice_nested
s/ \&\& w->launches\[i\].thread != cpudev_tid()//
