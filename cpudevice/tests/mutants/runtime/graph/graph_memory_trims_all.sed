# file: cpudevice/runtime/graph/graph_memory.c
# test: cpudevice/tests/runtime/graph_memory
s/        if (!r->taken \&\& !r->pending)/        if (!r->pending)/
