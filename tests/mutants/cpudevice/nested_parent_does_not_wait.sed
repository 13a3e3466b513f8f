# file: cpudevice/src/sched.c
# test: cpudevice_nested
s/^    if (c->children)$/    if (false)/
