# file: cpudevice/runtime/exec/os_thread.c
# test: cpudevice/tests/checker/findings.sh refused
/refused("the system gives no more threads");/d
