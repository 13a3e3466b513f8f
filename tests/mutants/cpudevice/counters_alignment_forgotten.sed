# file: cpudevice/checker/counters/counters.c
# test: check_counters.sh
s/s->counted.phase != phase/0/
