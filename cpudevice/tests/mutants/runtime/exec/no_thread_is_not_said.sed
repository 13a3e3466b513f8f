# file: cpudevice/runtime/exec/os_thread.c
# test: cpudevice/tests/checker/findings.sh refused
/refused("the system refuses more threads");/d
