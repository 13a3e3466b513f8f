# file: cpudevice/checker/counters.c
# test: check_counters.sh
s/s->counted.phase != phase/0/
