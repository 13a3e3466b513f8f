# file: cpudevice/runtime/graph/graph.c
# test: conformance/check/launches/graph_memset_values
s/        added->command->copy\.element = p->elementSize;/        added->command->copy.element = 0;/
