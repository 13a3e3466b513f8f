# file: cpudevice/runtime/sched.c
# test: cpudevice_nested
s/^    c->correlation = parent->correlation;//
