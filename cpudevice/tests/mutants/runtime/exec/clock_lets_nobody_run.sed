# file: cpudevice/runtime/exec/wait.c
# test: conformance/loops/control/wait_by_the_clock
/^long long cpudev_clock/,/^}/s/        cpudev_poll();/        (void)0;/
