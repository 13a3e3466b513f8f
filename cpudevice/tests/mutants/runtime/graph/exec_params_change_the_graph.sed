# file: cpudevice/runtime/graph/graph_params.c
# test: cpudevice/tests/runtime/library
s/return replace(exec->graph, to->index, p, true)/return replace(node->graph, node->index, p, false)/
