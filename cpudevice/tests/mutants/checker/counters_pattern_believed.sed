# file: cpudevice/checker/counters/counters.c
# test: cpudevice/tests/checker/check_counters.sh
s/ depart(c, s, g, lane, a);/ {}/
