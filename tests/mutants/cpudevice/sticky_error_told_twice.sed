# file: cpudevice/runtime/error.c
# test: cpudevice_core
s/ e = \*last;$/ e = sticky_error() ? sticky_error() : *last;/
