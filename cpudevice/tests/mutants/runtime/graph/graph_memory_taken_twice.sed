# file: cpudevice/runtime/graph/graph_memory.c
# test: cpudevice/tests/runtime/graph_memory
s/if (!r || r->planned == steps\[i\].allocates)/if (!r)/
