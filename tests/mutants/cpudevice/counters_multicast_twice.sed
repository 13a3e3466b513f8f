# file: cpudevice/runtime/async/tma.c
# test: check_counters.sh
s/moved = tell(c, false, site)/moved += tell(c, false, site)/
