# file: cpudevice/runtime/graph/conditional.c
# test: cpudevice/tests/runtime/graph_conditional
s/            h = collect(h, k->bodies\[b\]);/            (void)b;/
