# file: cpudevice/checker/sync/async_touches.c
# test: cpudevice/tests/checker/check_counters.sh units
s/flags | A_UNIT/flags/
