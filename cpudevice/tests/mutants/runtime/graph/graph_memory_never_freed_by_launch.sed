# file: cpudevice/runtime/graph/graph_exec.c
# test: cpudevice/tests/runtime/graph_memory
s/x->flags \& cudaGraphInstantiateFlagAutoFreeOnLaunch/x->flags > 99/
