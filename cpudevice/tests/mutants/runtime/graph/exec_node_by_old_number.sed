# file: cpudevice/runtime/graph/graph_exec.c
# test: cpudevice/tests/runtime/library
s/return x->graph->nodes\[x->place\[i\]\];/return x->graph->nodes[n->index];/
