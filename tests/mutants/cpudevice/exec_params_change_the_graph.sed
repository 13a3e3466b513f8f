# file: cpudevice/runtime/graph_exec.c
# test: cpudevice_library
s/replace_kernel(exec->graph, exec->place\[node->index\], p)/replace_kernel(node->graph, node->index, p)/
