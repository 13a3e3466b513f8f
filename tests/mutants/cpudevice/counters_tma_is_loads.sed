# file: cpudevice/checker/async_touches.c
# test: check_counters.sh
s/A_RANGE | A_UNIT/A_RANGE/
