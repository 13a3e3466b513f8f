# file: cpudevice/runtime/exec/watchdog.c
# test: cpudevice/tests/checker/findings.sh 'the watchdog says once that it ends a kernel whose line is long in coming'
/^static void end_kernel(/,/^}/s/^    cpudev_hold();.*//
