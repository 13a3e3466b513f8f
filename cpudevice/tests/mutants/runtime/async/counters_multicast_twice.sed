# file: cpudevice/runtime/async/tma.c
# test: cpudevice/tests/checker/check_counters.sh units
s/moved = tell(c, false, site)/moved += tell(c, false, site)/
