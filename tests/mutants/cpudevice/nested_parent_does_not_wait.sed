# file: cpudevice/runtime/sched.c
# test: cpudevice_nested
s/^    if (c->children)$/    if (false)/
