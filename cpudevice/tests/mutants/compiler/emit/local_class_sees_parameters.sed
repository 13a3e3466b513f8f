# file: cpudevice/compiler/emit/print_kernel.c
# test: conformance/loops/classes/local_class_asks_for_thread
s/if (is(t, i, W_STRUCT) || is(t, i, W_CLASS) || is(t, i, W_UNION))/if (0)/
