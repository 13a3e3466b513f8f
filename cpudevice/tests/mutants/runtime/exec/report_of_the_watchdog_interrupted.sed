# file: cpudevice/runtime/exec/watchdog.c
# test: cpudevice/tests/runtime/messages.sh 'the watchdog says once that it ends a kernel'
s/^    cpudev_hold(); .* until fail_kernel.*$//
