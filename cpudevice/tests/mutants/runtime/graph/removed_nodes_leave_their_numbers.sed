# file: cpudevice/runtime/graph/graph_nodes.c
# test: cpudevice/tests/runtime/graphs
s/n->deps\[d\] -= n->deps\[d\] > index;/(void)index;/
