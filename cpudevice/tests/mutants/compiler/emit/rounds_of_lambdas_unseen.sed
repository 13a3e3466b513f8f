# file: cpudevice/compiler/emit/print_rounds.c
# test: cpudevice/tests/checker/check_counters.sh turns
s/(lambda_brace(t, i, &head) || method_brace/(head < 0 || method_brace/
