# file: cpudevice/compiler/kernel/lanes.c
# test: cpudevice/tests/runtime/lanes
s/x->last = !x->loops \&\& !more_waiting(x, n->last);/x->last = false;/
