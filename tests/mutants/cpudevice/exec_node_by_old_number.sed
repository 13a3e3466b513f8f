# file: cpudevice/src/graph.c
# test: cpudevice_library
s/exec->place\[node->index\]/node->index/
