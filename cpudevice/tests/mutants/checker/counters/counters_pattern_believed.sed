# file: cpudevice/checker/counters/counters.c
# test: cpudevice/tests/checker/check_counters.sh rows_in_bulk
s/ depart(c, s, g, lane, a);/ {}/
