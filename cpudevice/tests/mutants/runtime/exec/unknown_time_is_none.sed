# file: cpudevice/runtime/exec/watchdog.c
# test: cpudevice/tests/checker/findings.sh "a thread's time, now and then"
s/return before;/return 0;/
