# file: cpudevice/checker/core/layout.c
# test: cpudevice/tests/checker/findings.sh "a look at memory: what is not there is not taken for the host's"
s/^        return syscall(SYS_rt_sigprocmask.*/        return 1;/
