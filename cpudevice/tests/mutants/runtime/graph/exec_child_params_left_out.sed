# file: cpudevice/runtime/graph/graph_params.c
# test: cpudevice/tests/runtime/graphs
s/    for (int i = 0; same \&\& i < flat->count; i++)/    for (int i = 1; same \&\& i < flat->count; i++)/
