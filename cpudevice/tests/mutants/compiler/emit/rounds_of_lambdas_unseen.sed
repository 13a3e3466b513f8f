# file: cpudevice/compiler/emit/print_rounds.c
# test: cpudevice/tests/checker/check_counters.sh 'requests of turns in each form'
s/(lambda_brace(t, i, &head) || method_brace/(head < 0 || method_brace/
