# file: cpudevice/runtime/graph/graph_params.c
# test: cpudevice/tests/runtime/library
s/return replace(exec->graph, exec->place\[node->index\], p, true)/return replace(node->graph, node->index, p, false)/
