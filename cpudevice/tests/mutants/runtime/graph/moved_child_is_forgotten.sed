# file: cpudevice/runtime/graph/graph_params.c
# test: cpudevice/tests/runtime/graphs
s/    (\*node)->child = p->graph;/    p->graph->count = 0, (*node)->child = p->graph;/
