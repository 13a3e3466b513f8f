# file: cpudevice/runtime/graph/graph_memory.c
# test: graph_memory
s/if (!r || r->planned == steps\[i\].allocates)/if (!r)/
