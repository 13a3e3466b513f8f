# file: cpudevice/checker/sync/async_touches.c
# test: cpudevice/tests/checker/check_counters.sh
s/flags | A_UNIT/flags/
