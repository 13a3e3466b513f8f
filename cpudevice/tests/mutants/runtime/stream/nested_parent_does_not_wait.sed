# file: cpudevice/runtime/stream/scheduler.c
# test: cpudevice/tests/runtime/nested
s/^    if (c->family.children)$/    if (false)/
