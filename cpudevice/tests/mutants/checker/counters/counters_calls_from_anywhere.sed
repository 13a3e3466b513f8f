# file: cpudevice/checker/counters/counters.c
# test: cpudevice/tests/checker/check_counters.sh turns
s/(before ^ id ^ at << 16)/(before ^ id)/
