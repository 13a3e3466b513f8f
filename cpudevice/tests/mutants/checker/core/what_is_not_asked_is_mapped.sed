# file: cpudevice/checker/core/layout.c
# test: cpudevice/tests/checker/findings.sh refused
s/^        return syscall(SYS_rt_sigprocmask.*/        return 1;/
