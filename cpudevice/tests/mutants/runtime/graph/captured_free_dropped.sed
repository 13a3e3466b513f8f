# file: cpudevice/runtime/graph/graph_memory_nodes.c
# test: cpudevice/tests/runtime/graph_memory
s/^    if (!is_graph_memory(p, NULL) ||.*/    if (g->count) return cudaSuccess;\n&/
