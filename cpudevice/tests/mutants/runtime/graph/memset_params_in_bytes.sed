# file: cpudevice/runtime/graph/graph_query.c
# test: cpudevice/tests/runtime/graphs
s/k->asked_element ? k->asked_element : k->element/k->element/
