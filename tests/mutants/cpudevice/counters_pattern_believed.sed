# file: cpudevice/checker/counters/counters.c
# test: check_counters.sh
s/ depart(c, s, g, lane, a);/ {}/
