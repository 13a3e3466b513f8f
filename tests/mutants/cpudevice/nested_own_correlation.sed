# file: cpudevice/runtime/stream/queue.c
# test: cpudevice_nested
s/^    c->correlation = parent->correlation;//
