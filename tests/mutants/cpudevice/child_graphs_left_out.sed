# file: cpudevice/runtime/graph/graph_nodes.c
# test: cpudevice_library
s/        if (n->child \&\& n->child->count) {/        if (false) {/
