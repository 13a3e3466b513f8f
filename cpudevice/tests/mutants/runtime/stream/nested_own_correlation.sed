# file: cpudevice/runtime/stream/queue.c
# test: cpudevice/tests/runtime/nested
s/^    c->correlation = parent->correlation;//
