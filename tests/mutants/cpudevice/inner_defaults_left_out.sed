# file: cpudevice/runtime/graph/conditional.c
# test: graph_conditional
s/            h = collect(h, k->bodies\[b\]);/            (void)b;/
