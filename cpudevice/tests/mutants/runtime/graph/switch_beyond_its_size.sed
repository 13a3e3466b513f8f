# file: cpudevice/runtime/graph/conditional.c
# test: cpudevice/tests/runtime/graph_conditional
s/value < k->size ? k->bodies\[value\] : NULL/k->bodies[value < k->size ? value : 0]/
