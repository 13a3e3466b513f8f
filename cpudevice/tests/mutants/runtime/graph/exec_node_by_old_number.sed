# file: cpudevice/runtime/graph/graph_params.c
# test: cpudevice/tests/runtime/library
s/exec->place\[node->index\], p/node->index, p/
