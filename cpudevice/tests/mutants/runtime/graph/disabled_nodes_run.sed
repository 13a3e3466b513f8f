# file: cpudevice/runtime/graph/conditional.c
# test: cpudevice/tests/runtime/graphs
s/ \&\& !node->disabled//
