# file: cpudevice/runtime/graph_exec.c
# test: graph_memory
s/x->flags \& cudaGraphInstantiateFlagAutoFreeOnLaunch/x->flags > 99/
