# file: cpudevice/runtime/exec/watchdog.c
# test: cpudevice/tests/checker/findings.sh refused
s/^    if (e) {$/    if (0) {/
