# file: cpudevice/checker/sync/async_touches.c
# test: check_counters.sh
s/flags | A_UNIT/flags/
