# file: cpudevice/runtime/exec/watchdog.c
# test: cpudevice/tests/checker/findings.sh refused
s/return before;/return 0;/
