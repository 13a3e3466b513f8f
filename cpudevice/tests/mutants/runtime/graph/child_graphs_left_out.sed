# file: cpudevice/runtime/graph/graph_nodes.c
# test: cpudevice/tests/runtime/library
s/        if (n->child \&\& n->child->count) {/        if (false) {/
