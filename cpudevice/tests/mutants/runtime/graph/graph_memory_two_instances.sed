# file: cpudevice/runtime/graph/graph_exec.c
# test: cpudevice/tests/runtime/graph_memory
s/    if (graph->instance) {/    if (false) {/
