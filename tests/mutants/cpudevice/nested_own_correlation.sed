# file: cpudevice/src/sched.c
# test: cpudevice_nested
s/^    c->correlation = parent->correlation;//
