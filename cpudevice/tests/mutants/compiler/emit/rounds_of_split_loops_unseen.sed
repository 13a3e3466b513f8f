# file: cpudevice/compiler/emit/print_regions.c
# test: cpudevice/tests/checker/check_counters.sh 'requests of turns in each form'
s/^        print_round(s, n);/        (void)print_round;/
