# file: cpudevice/checker/counters/counters.c
# test: cpudevice/tests/checker/check_counters.sh
s/s->counted.phase != phase/0/
