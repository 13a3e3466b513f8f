# file: cpudevice/compiler/emit/print_rounds.c
# test: cpudevice/tests/checker/check_counters.sh 'requests of turns in each form'
s/(first = switch_around(t, from, i, end)) < 0/true/
