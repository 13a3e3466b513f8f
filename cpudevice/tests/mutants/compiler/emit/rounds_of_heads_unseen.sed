# file: cpudevice/compiler/emit/print_rounds.c
# test: cpudevice/tests/checker/check_counters.sh turns_in_heads
s/ || branches(t, next(t, head), mate(t, head))//
