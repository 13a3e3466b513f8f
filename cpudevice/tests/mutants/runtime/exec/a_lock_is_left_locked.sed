# file: cpudevice/runtime/exec/watchdog.c
# test: cpudevice/tests/checker/findings.sh 'the watchdog ends a kernel whose thread holds a lock of the checker'
s/if (cpudev_holds) {/if (0) {/
