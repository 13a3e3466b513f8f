# file: cpudevice/runtime/stream/scheduler.c
# test: cpudevice/tests/runtime/nested
s/^    if (c->children)$/    if (false)/
