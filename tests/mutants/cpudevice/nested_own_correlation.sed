# file: cpudevice/runtime/queue.c
# test: cpudevice_nested
s/^    c->correlation = parent->correlation;//
