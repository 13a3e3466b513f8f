# file: cpudevice/runtime/graph/conditional.c
# test: cpudevice/tests/runtime/graph_conditional
s/k->size == 2 ? k->bodies\[1\] : NULL/NULL/
