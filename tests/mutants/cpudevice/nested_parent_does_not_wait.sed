# file: cpudevice/runtime/stream/scheduler.c
# test: cpudevice_nested
s/^    if (c->children)$/    if (false)/
