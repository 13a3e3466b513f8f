# file: cpudevice/runtime/exec/thread_exit.c
# test: cpudevice/tests/runtime/unprepared
s/^bool cpudev_threads_exit/__attribute__((constructor)) &/
