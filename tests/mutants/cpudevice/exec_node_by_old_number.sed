# file: cpudevice/runtime/graph_exec.c
# test: cpudevice_library
s/exec->place\[node->index\]/node->index/
