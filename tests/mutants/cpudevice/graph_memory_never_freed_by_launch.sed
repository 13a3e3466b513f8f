# file: cpudevice/runtime/graph/graph_exec.c
# test: graph_memory
s/x->flags \& cudaGraphInstantiateFlagAutoFreeOnLaunch/x->flags > 99/
