# file: cpudevice/checker/core/access.c
# test: cpudevice/tests/checker/findings.sh loops
s/forget(a, bytes);$/(void)0;/
