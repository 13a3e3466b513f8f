# file: cpudevice/src/counters.c
# test: check_counters.sh
s/ depart(c, s, g, lane, a);/ {}/
