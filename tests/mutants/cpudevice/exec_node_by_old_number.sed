# file: cpudevice/runtime/graph.c
# test: cpudevice_library
s/exec->place\[node->index\]/node->index/
