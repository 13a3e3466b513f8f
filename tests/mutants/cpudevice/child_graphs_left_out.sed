# file: cpudevice/runtime/graph.c
# test: cpudevice_library
s/        if (n->child \&\& n->child->count) {/        if (false) {/
